import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { endProcess } from './end-process';
import { freePort } from './free-port';
import { postJson } from './post-json';
import { readChildren, readResidentBytes } from './scale/cpu';
import { unwinding } from './unwinding';

export interface BenchService {
  /** The pid of the parent. The service is its child, and the development server is a child of the service. */
  readonly pid: number;
  readonly temporalAddress: string;
  /** The address of the API. */
  readonly url: string;
  readonly recordsUrl: string;
  /** Time from spawning the process to the answer of its first call, ms. */
  readonly firstAnswerMs: number;
  post(path: string, body: unknown): Promise<unknown>;
  /** Reads the resident memory of both Node.js processes, bytes. */
  residentBytes(): number;
  stop(): Promise<void>;
}

const START = resolve(__dirname, '..', 'bin', 'start.js');
/** Three steps with the tool of `ONE_CALL`, each with the result of the step before. */
export const THREE_STEPS = {
  workflow: {
    name: 'bench',
    steps: [
      timesSeven('first', 6),
      timesSeven('second', '{{first.result}}'),
      timesSeven('third', '{{second.result}}'),
    ],
  },
};
export const ONE_SENTENCE = { query: 'what is 6 times 7' };
export const ONE_CALL = { toolName: 'calculator', args: { operation: 'multiply', a: 6, b: 7 } };

function timesSeven(id: string, a: unknown): object {
  const config = { toolName: 'calculator', args: { operation: 'multiply', a, b: 7 } };
  return { id, type: 'tool_execution', config };
}

/**
 * Starts the service as `npm start` runs it, with its development server, on free ports.
 * @param settings further settings
 * @param headers of all requests that the bench sends by `post`
 */
export async function startService(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  unwinding.signal.throwIfAborted();
  const temporalPort = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [START], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      PORT: '0',
      RECORDS_PORT: '0',
      TEMPORAL_PORT: String(temporalPort),
      TEMPORAL_UI_PORT: String(await freePort()),
      LOG_FORMAT: 'json',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = unwinding.add(() => endProcess(child));
  const { api, records: recordsUrl } = await waitForUrls(child);
  const pool = new Pool(api, { connections: 32 });
  await postJson(pool, '/api/tools/execute', ONE_CALL, { headers });
  return {
    pid: child.pid ?? -1,
    temporalAddress: `127.0.0.1:${temporalPort}`,
    url: api,
    recordsUrl,
    firstAnswerMs: performance.now() - started,
    post: (path, body) => postJson(pool, path, body, { headers }),
    residentBytes() {
      const parent = child.pid ?? -1;
      return [parent, ...readChildren(parent)].reduce((sum, pid) => sum + readResidentBytes(pid), 0);
    },
    async stop() {
      await pool.close();
      await stop();
    },
  };
}

interface Urls {
  readonly api: string;
  readonly records: string;
}

function waitForUrls(child: ChildProcess): Promise<Urls> {
  return new Promise((found, failed) => {
    child.once('close', (code) => failed(new Error(`the service ended with ${code}`)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.includes('"holdfast is up"')) return;
      found(JSON.parse(line) as Urls);
    });
  });
}
