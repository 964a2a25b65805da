import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { HoldfastError } from '../../src/base/errors';
import { boundLog, keepLogBounded, readLastLines } from '../../temporal/dev-server/log-file';
import { readIdentity } from '../../temporal/dev-server/process-identity';
import { stopProcess } from '../../temporal/dev-server/stop-process';
import type { Leftovers } from './leftovers';

/** Lines told of a process that ended. */
const LINES_TOLD = 3;
/** After its end, what it wrote is waited for no longer than this: a child of its own may hold the pipes. */
const DRAIN_LIMIT_MS = 500;

/** A process of the cluster. */
export interface RunningPart {
  readonly pid: number;
  /** How it ended, in one line for a person, whoever asked for that. */
  readonly ended: Promise<string>;
  /** Ends it and waits until it is gone. Calling it again changes nothing. */
  stop(): Promise<void>;
}

export interface PartOptions {
  /** For messages: "postgres", "api-1". */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Whom it runs as, where that is not who runs the cluster. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /**
   * What it writes goes to the end of this file, or by lines to this function, which may say what a line comes to for a
   * person who is told how the process ended.
   */
  readonly output: string | ((line: string) => string | undefined);
  /** Written to its input, which is kept open as long as this process lives; absent: it has none. */
  readonly input?: string;
  readonly stopSignal?: NodeJS.Signals;
  /** Longest it may take to stop, ms; it is killed after that. */
  readonly stopLimitMs: number;
  readonly leftovers: Leftovers;
}

/**
 * Starts a process in a process group of its own, so that Ctrl-C reaches the cluster alone, which takes down its parts
 * in their order.
 *
 * @throws HoldfastError `CONFIGURATION` where the program cannot be run
 */
export async function spawnPart(options: PartOptions): Promise<RunningPart> {
  const { name, command, args, output, leftovers, stopSignal = 'SIGTERM', stopLimitMs } = options;
  const said: string[] = [];
  const child = start(options, said);
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
      else void drained.then(() => resolve(said.length === 0 ? how : `${how}; it said: ${said.join(' | ')}`));
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

function start({ command, args, env, cwd, user, output, input }: PartOptions, said: string[]): ChildProcess {
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const options = {
    detached: true,
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  };
  if (typeof output === 'string') boundLog(output);
  const log = typeof output === 'string' ? openSync(output, 'a', 0o600) : undefined;
  const out = log ?? 'pipe';
  const stdio: StdioOptions = [stdin, out, out];
  const child = spawn(command, args, { ...options, stdio });
  if (log !== undefined) closeSync(log);
  if (typeof output === 'function') {
    const take = (line: string): void => {
      const told = output(line) ?? line;
      if (isPartOfTrace(told)) return;
      if (said.push(told) > LINES_TOLD) said.shift();
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', take);
    }
  }
  // A process that is killed reads no further.
  child.stdin?.on('error', () => undefined);
  if (input !== undefined) child.stdin?.write(input);
  return child;
}

/** Where something went wrong in the code, which a person who reads why has no use for. */
function isPartOfTrace(line: string): boolean {
  return line.trim() === '' || /^\s+at |^\s*\.\.\. \d+ (more|common)/.test(line);
}
