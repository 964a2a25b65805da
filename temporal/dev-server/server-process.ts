import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { withPrivateFiles } from './private-files';
import { HoldfastError } from '../../src/base/errors';
import { isRunning, type ProcessIdentity, readIdentity } from './stop-process';

const WATCH_EVERY_MS = 500;

/** How a process ended; both fields are null if only its parent could read it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly identity: ProcessIdentity;
  readonly ended: Promise<Ending>;
  /** Stops watching a process that is not a child of this one. */
  unwatch(): void;
}

/**
 * Starts the server in a separate process group, so that Ctrl-C reaches this process alone and the server still runs
 * while the worker drains. The server writes to a file and not to a pipe, so that it survives this process.
 *
 * @param cliPath an absolute path
 * @throws HoldfastError `CONFIGURATION` when the binary cannot be run
 */
export async function spawnServer(
  cliPath: string,
  args: readonly string[],
  { cwd, logPath }: { readonly cwd: string; readonly logPath: string },
): Promise<ServerProcess> {
  const child = withPrivateFiles(() => {
    const log = openSync(logPath, 'a');
    const started = spawn(cliPath, args, { cwd, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    return started;
  });
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
    throw new HoldfastError(
      'CONFIGURATION',
      `${cliPath} (TEMPORAL_CLI_PATH) cannot be run: ${error.code ?? error.message}`,
    );
  }
  return { identity: readIdentity(pid), ended, unwatch: () => undefined };
}

/** Watches a server that an earlier process has started. */
export function adoptServer(identity: ProcessIdentity): ServerProcess {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<Ending>((resolve) => {
    timer = setInterval(() => {
      if (isRunning(identity)) return;
      clearInterval(timer);
      resolve({ code: null, signal: null });
    }, WATCH_EVERY_MS);
  });
  return { identity, ended, unwatch: () => clearInterval(timer) };
}
