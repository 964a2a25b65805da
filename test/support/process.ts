import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { UNTAKEN_REJECTION } from '../../src/supervision/untaken-rejections';
import { noteProblem } from './environment/process-problems';
import { waitFor } from './wait';

/** Node.js writes it last when an uncaught error ends a process. */
const LAST_OF_CRASH = /^Node\.js v\d+\.\d+\.\d+$/;

const ROOT = resolve(__dirname, '..', '..');

export type Part =
  | 'start'
  | 'service'
  | 'api'
  | 'worker'
  | 'records'
  | 'temporal'
  | 'reindex'
  | 'backup'
  | 'restore'
  | 'deploy'
  | 'keys';

export interface LogLine {
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface PartProcess {
  readonly pid: number;
  readonly lines: readonly LogLine[];
  /** The output that is not a log line. */
  readonly output: () => string;
  /** Waits for the first line with this message. */
  line(message: string): Promise<LogLine>;
  signal(name: NodeJS.Signals): void;
  /** False once it has ended. */
  readonly running: boolean;
  /** Exit code, or the signal's name. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | NodeJS.Signals>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

export interface SpawnOptions {
  /** Folder of the build; by default the repository's. */
  readonly root?: string;
  /** The part's own arguments. */
  readonly args?: readonly string[];
}

/** Starts a compiled part of the service as a real process, without the settings of this process. */
export function spawnPart(
  part: Part,
  env: Readonly<Record<string, string>>,
  { root = ROOT, args = [] }: SpawnOptions = {},
): PartProcess {
  const folder = part === 'records' ? 'packages/records/bin' : 'bin';
  return spawnProgram(part, process.execPath, [`dist/${folder}/${part}.js`, ...args], env, root);
}

/** Starts a program that logs lines of JSON, such as a worker of somebody who uses the service. @param name for errors */
export function spawnProgram(
  name: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = ROOT,
): PartProcess {
  const child = spawn(program, args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: tmpdir(),
      LOG_FORMAT: 'json',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: LogLine[] = [];
  const other: string[] = [];
  const read = (text: string): void => {
    try {
      lines.push(JSON.parse(text) as LogLine);
      if (lines.at(-1)?.msg === UNTAKEN_REJECTION) noteProblem(`${name} left a rejected promise: ${text}`);
    } catch {
      other.push(text);
      if (LAST_OF_CRASH.test(text))
        noteProblem(`${name} died of an error: ${other.join('\n').slice(-2_000)}`);
    }
  };
  createInterface({ input: child.stdout }).on('line', read);
  createInterface({ input: child.stderr }).on('line', read);
  const exited = new Promise<number | NodeJS.Signals>((settle) => {
    child.once('close', (code, signal) => settle(code ?? signal ?? 1));
  });
  return handleOf(name, child, lines, other, exited);
}

function handleOf(
  name: string,
  child: ChildProcess,
  lines: LogLine[],
  other: string[],
  exited: Promise<number | NodeJS.Signals>,
): PartProcess {
  let gone = false;
  void exited.then(() => (gone = true));
  const output = (): string => other.join('\n');
  return {
    pid: child.pid ?? -1,
    lines,
    output,
    get running() {
      return !gone;
    },
    exited,
    async line(message) {
      const find = (): LogLine | undefined => lines.find(({ msg }) => msg === message);
      const found = await waitFor(() => find() ?? (gone ? 'ended' : undefined), {
        what: `${name} to log "${message}"`,
      });
      if (found === 'ended') throw new Error(`${name} ended: ${output()} ${JSON.stringify(lines.slice(-3))}`);
      return found;
    },
    signal: (signal) => void child.kill(signal),
    async stop() {
      if (!gone) child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      if (!gone) child.kill('SIGKILL');
      await exited;
    },
  };
}
