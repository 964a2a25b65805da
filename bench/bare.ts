import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { endProcess } from './end-process';
import type { Call } from './load';
import { postJson } from './post-json';
import { unwinding } from './unwinding';

/** The bare workflow behind a plain HTTP server, in a process of its own as the service is. */
export interface Baseline {
  readonly pid: number;
  readonly call: Call;
  stop(): Promise<void>;
}

const FRONT = resolve(__dirname, 'bare-front.js');

/** Starts `bare-front.ts` on the Temporal server at the address. */
export async function startBaseline(address: string): Promise<Baseline> {
  unwinding.signal.throwIfAborted();
  const child = spawn(process.execPath, [FRONT, address], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = unwinding.add(() => endProcess(child));
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`the bare workflow's process ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const [port] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [
    string,
  ];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
  return {
    pid: child.pid ?? -1,
    call: () => postJson(pool, '/', { a: 6, b: 7 }),
    async stop() {
      await pool.close();
      await stop();
    },
  };
}
