import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Handover, PreviousProcess } from '../src/supervision/parent-link';
import type { Ending } from '../src/supervision/restarts';
import { createRestarts } from '../src/supervision/restarts';

export interface KeepRunningOptions {
  /** For the one line on standard error when it gives up. */
  readonly name: string;
  /** The compiled file that the child runs. */
  readonly entry: string;
  /** When a process started, so that it is known from a later one with the same pid. */
  readonly startOf: (pid: number) => string | undefined;
}

/**
 * Runs a file as a child process and starts it again after an abnormal end. The child has this process's standard streams and
 * environment; SIGTERM and SIGINT are passed on, and the child's exit code becomes this process's. When this process dies, in
 * whichever way, the child ends at once (`followParent`).
 */
export function keepRunning({ name, entry, startOf }: KeepRunningOptions): void {
  const decide = createRestarts();
  let child: ChildProcess | undefined;
  let pause: NodeJS.Timeout | undefined;
  let isStopping = false;
  let restarts = 0;

  function start(handover: Handover): void {
    const args = [...process.execArgv, entry, JSON.stringify(handover)];
    const started = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'pipe'] });
    child = started;
    const start = started.pid === undefined ? undefined : startOf(started.pid);
    let upSince: number | undefined;
    // The child writes once: that it is up.
    started.stdio[3]?.once('data', () => (upSince = performance.now())).on('error', () => undefined);
    started.once('error', (error) => {
      console.error(`${name} could not be started: ${error.message}`);
      process.exit(1);
    });
    started.once('exit', (code, signal) => {
      child = undefined;
      const upMs = upSince === undefined ? undefined : performance.now() - upSince;
      onEnd({ code, signal, upMs }, { pid: started.pid ?? 0, start });
    });
  }

  function onEnd(ending: Ending, { pid, start: startedAt }: Pick<PreviousProcess, 'pid' | 'start'>): void {
    const pauseMs = isStopping ? undefined : decide.next(ending);
    if (pauseMs === undefined) {
      if (!isStopping && restarts > 0 && ending.code !== 0)
        console.error(`${name} ended with ${howOf(ending)} and is not started again`);
      endAs(ending);
      return;
    }
    restarts += 1;
    const previous = { pid, start: startedAt, how: howOf(ending), restarts };
    pause = setTimeout(() => start({ previous }), pauseMs);
  }

  function onSignal(signal: NodeJS.Signals): void {
    isStopping = true;
    if (child !== undefined) {
      child.kill(signal);
    } else {
      clearTimeout(pause);
      process.exit(0);
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  start({});
}

function howOf({ code, signal }: Ending): string {
  return signal ?? `exit code ${String(code)}`;
}

/** Ends this process in the way that the child ended. */
function endAs({ code, signal }: Ending): void {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
