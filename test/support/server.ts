import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { waitFor } from './wait';

/** A process that can be ended, and started again on the same data and ports. */
export interface Server {
  readonly name: string;
  /** The pid of the last process. */
  readonly pid: number;
  /** Starts the process and waits until it is ready. It does nothing if a process runs. */
  start(): Promise<void>;
  /** Sends the signal, by default the one that stops it in order, and waits for the end. It does nothing if no process runs. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly options?: Pick<SpawnOptions, 'env' | 'cwd' | 'uid' | 'gid'>;
  /** The first line of its standard input, which stays open while this process lives; absent if it reads none. */
  readonly input?: string;
  /** Checks once, by its latest lines or in another way. An error counts as "not yet". */
  readonly isReady: (lines: readonly string[]) => Promise<boolean>;
  readonly stopSignal?: NodeJS.Signals;
}

const MAX_LINES = 50;
const LINES_REPORTED = 5;

/** Describes a server that does not run yet. */
export function createServer(server: ServerOptions): Server {
  const { name, command, args, options, input, isReady, stopSignal } = server;
  let child: ChildProcess | undefined;
  let lines: string[] = [];
  let isRunning = false;

  function launch(): void {
    // In a process group of its own, because Ctrl-C is for a bench alone, which ends its servers in order.
    const started = spawn(command, args, { ...options, detached: true, stdio: 'pipe' });
    [child, lines, isRunning] = [started, [], true];
    for (const stream of [started.stdout, started.stderr])
      createInterface({ input: stream }).on('line', (line) => (lines = [...lines, line].slice(-MAX_LINES)));
    started.once('error', (error) => lines.push(error.message)).once('close', () => (isRunning = false));
    // Writing fails if the process has been killed.
    started.stdin.on('error', () => undefined);
    if (input === undefined) started.stdin.end();
    else started.stdin.write(`${input}\n`);
  }

  return {
    name,
    get pid() {
      return child?.pid ?? -1;
    },
    async start() {
      if (isRunning) return;
      launch();
      const state = await waitFor(async () => (isRunning ? (await isReady(lines)) && 'ready' : 'ended'), {
        what: `${name} to be ready`,
      });
      if (state === 'ended')
        throw new Error(`${name} ended instead of starting: ${lines.slice(-LINES_REPORTED).join(' | ')}`);
    },
    async end(signal = stopSignal) {
      if (child === undefined || !isRunning) return;
      // Its output closes when its children have ended too. PostgreSQL does not start again before.
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
    },
  };
}
