import { readFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { endProcess } from '../end-process';
import { unwinding } from '../unwinding';

export interface Idle {
  readonly name: string;
  /** CPU time of the process in a minute without work, ms. */
  readonly cpuMs: number;
  readonly residentMb: number;
}

const WORKER = resolve(__dirname, '..', '..', 'bin', 'worker.js');
const SETTLED_MS = 5_000;
const MEASURED_MS = 30_000;
/** The unit of times in /proc, ms. */
const TICK_MS = 10;

/** Measures CPU time and memory of an idle worker process. */
export async function measureIdle(name: string, settings: Readonly<Record<string, string>>): Promise<Idle> {
  unwinding.signal.throwIfAborted();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [WORKER], {
    env: { PATH, HOME, LOG_FORMAT: 'json', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = unwinding.add(() => endProcess(child));
  const gone = new Promise((done) => child.once('close', done));
  const isPolling = new Promise<void>((found) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"the worker is polling"')) found();
    });
  });
  try {
    await Promise.race([isPolling, gone]);
    await delay(SETTLED_MS);
    const before = await readCpuMs(child.pid);
    await delay(MEASURED_MS);
    const cpuMs = ((await readCpuMs(child.pid)) - before) * (60_000 / MEASURED_MS);
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return { name, cpuMs, residentMb: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024 };
  } finally {
    await stop();
  }
}

/** Reads the CPU time of a process, user and system, ms. */
async function readCpuMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
