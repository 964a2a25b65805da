import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess } from '../end-process';
import { unwinding } from '../unwinding';

export type Environment = Readonly<Record<string, string>>;

/** A process of the service that is up. */
export interface BenchPart {
  readonly pid: number;
  /** The fields of the log line that says that the process is up. */
  readonly up: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

export interface PartOptions {
  readonly env: Environment;
  /** The message of the log line that says that the process is up. */
  readonly saysWhenUp: string;
  /** The core to which the process is pinned; absent for any. */
  readonly core?: number | undefined;
  /** The folder of the compiled service; absent for the build that this file belongs to. */
  readonly build?: string | undefined;
}

const BUILD = resolve(__dirname, '..', '..');
const UP_LIMIT_MS = 60_000;

/**
 * Starts a compiled part of the service in a separate process.
 * @throws Error if it ends or is not up within a minute, or if the bench was interrupted
 */
export async function startPart(
  name: string,
  { env, saysWhenUp, core, build = BUILD }: PartOptions,
): Promise<BenchPart> {
  unwinding.signal.throwIfAborted();
  const command = [process.execPath, resolve(build, 'bin', `${name}.js`)];
  const [file = '', ...args] = core === undefined ? command : ['taskset', '-c', String(core), ...command];
  const child = spawn(file, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = unwinding.add(() => endProcess(child));
  try {
    return { pid: child.pid ?? -1, up: await waitForLine(name, child, saysWhenUp), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function waitForLine(name: string, child: ChildProcess, message: string): Promise<Record<string, unknown>> {
  return new Promise((found, failed) => {
    const late = setTimeout(
      () => failed(new Error(`${name} did not say "${message}" within ${UP_LIMIT_MS} ms`)),
      UP_LIMIT_MS,
    );
    const settle = <T>(how: (value: T) => void, value: T): void => {
      clearTimeout(late);
      how(value);
    };
    child.once('error', (error) => settle(failed, error));
    child.once('close', (code) => settle(failed, new Error(`${name} ended with ${code}`)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(`"${message}"`)) settle(found, JSON.parse(line) as Record<string, unknown>);
    });
  });
}
