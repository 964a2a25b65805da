import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { HoldfastError } from '../../src/base/errors';
import { boundLog, keepLogBounded, readLastLines } from '../../temporal/dev-server/log-file';
import { readIdentity } from '../../temporal/dev-server/process-identity';
import { stopProcess } from '../../temporal/dev-server/stop-process';
import type { Leftovers } from './leftovers';

/** How many of its last lines the reason of a process's end contains. */
const LINES_REPORTED = 3;
/**
 * How long to wait for the last output of a process that has ended, ms. The wait is limited because a child of it may
 * keep the pipes open.
 */
const DRAIN_LIMIT_MS = 500;

/** A process of the cluster. */
export interface RunningPart {
  readonly pid: number;
  /** Resolves when the process has ended, stopped or by itself, with one line that says how. */
  readonly ended: Promise<string>;
  /** Ends the process and waits until it is gone. Further calls have no effect. */
  stop(): Promise<void>;
}

export interface PartOptions {
  /** The name in messages, such as "postgres" or "api-1". */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user that runs the process, if it is not the user of the cluster. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /**
   * A file to which the output of the process is appended, or a function that is called with each line. The function
   * may return a readable form of the line, for the message that says how the process ended.
   */
  readonly output: string | ((line: string) => string | undefined);
  /**
   * Written to the standard input of the process, which stays open while this process lives; absent if it needs no
   * input.
   */
  readonly input?: string;
  readonly stopSignal?: NodeJS.Signals;
  /** How long the process may take to stop before it is killed, ms. */
  readonly stopLimitMs: number;
  readonly leftovers: Leftovers;
}

/**
 * Starts a process in a separate process group, so that Ctrl-C reaches the cluster alone, which stops its parts in
 * order.
 *
 * @throws HoldfastError `CONFIGURATION` if the program cannot be run
 */
export async function spawnPart(options: PartOptions): Promise<RunningPart> {
  const { name, command, args, output, leftovers, stopSignal = 'SIGTERM', stopLimitMs } = options;
  const written: string[] = [];
  const child = startProcess(options, written);
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
    throw new HoldfastError(
      'CONFIGURATION',
      `${name} cannot be run (${command}): ${error.code ?? error.message}`,
    );
  }
  const identity = readIdentity(pid);
  leftovers.add({ ...identity, name, command: [command, ...args], stopSignal, stopLimitMs });
  const unbound = typeof output === 'string' ? keepLogBounded(output) : () => undefined;
  const ended = new Promise<string>((resolve) => {
    const drained = new Promise<unknown>((done) => {
      child.once('close', done);
      child.once('exit', () => setTimeout(done, DRAIN_LIMIT_MS).unref());
    });
    child.once('exit', (code, signal) => {
      unbound();
      leftovers.remove(identity);
      const how = signal ?? `exit code ${String(code)}`;
      if (typeof output === 'string')
        resolve(`${how}; its log ${output} ends with: ${readLastLines(output, 1)[0] ?? 'nothing'}`);
      else
        void drained.then(() =>
          resolve(written.length === 0 ? how : `${how}; it said: ${written.join(' | ')}`),
        );
    });
  });
  let stopping: Promise<unknown> | undefined;
  return {
    pid,
    ended,
    async stop() {
      await (stopping ??= stopProcess(identity, stopLimitMs, stopSignal));
      await ended;
    },
  };
}

function startProcess(
  { command, args, env, cwd, user, output, input }: PartOptions,
  written: string[],
): ChildProcess {
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const options = {
    detached: true,
    env,
    cwd,
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  };
  if (typeof output === 'string') boundLog(output);
  const log = typeof output === 'string' ? openSync(output, 'a', 0o600) : undefined;
  const out = log ?? 'pipe';
  const stdio: StdioOptions = [stdin, out, out];
  const child = spawn(command, args, { ...options, stdio });
  if (log !== undefined) closeSync(log);
  if (typeof output === 'function') {
    const collect = (line: string): void => {
      const reported = output(line) ?? line;
      if (isPartOfTrace(reported)) return;
      if (written.push(reported) > LINES_REPORTED) written.shift();
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', collect);
    }
  }
  // Writing fails if the process was killed, which `ended` reports.
  child.stdin?.on('error', () => undefined);
  if (input !== undefined) child.stdin?.write(input);
  return child;
}

/**
 * Whether a line is empty or part of a stack trace, which says little to a person who reads why a process has ended.
 */
function isPartOfTrace(line: string): boolean {
  return line.trim() === '' || /^\s+at |^\s*\.\.\. \d+ (more|common)/.test(line);
}
