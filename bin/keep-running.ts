import { type ChildProcess, spawn } from 'node:child_process';
import type { Handover, PreviousProcess } from '../src/supervision/parent-link';
import { createRestarts, type Ending } from '../src/supervision/restarts';
import { STOP_SIGNALS } from '../src/supervision/stop-signals';

export interface KeepRunningOptions {
  /** Names the service in the one line on standard error when the child is not started again. */
  readonly name: string;
  /** The compiled file that the child runs. */
  readonly entry: string;
  /** Flags of Node.js for the child. Those of this process come after them and so count if both set one. */
  readonly flags?: readonly string[];
  /** Reads when a process started, which distinguishes it from a later process with the same pid. */
  readonly readStart: (pid: number) => string | undefined;
}

/**
 * Runs a file as a child process and starts it again after an abnormal end. The child has this process's standard
 * streams and environment. This process passes SIGTERM, SIGINT and SIGHUP on and ends with the child's exit code. When this
 * process ends in any way, the child ends at once (`followParent`).
 */
export function keepRunning({ name, entry, flags = [], readStart }: KeepRunningOptions): void {
  const decide = createRestarts();
  let child: ChildProcess | undefined;
  let pause: NodeJS.Timeout | undefined;
  let isStopping = false;
  let restarts = 0;

  function start(handover: Handover): void {
    const args = [...flags, ...process.execArgv, entry, JSON.stringify(handover)];
    const started = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'pipe'] });
    child = started;
    const start = started.pid === undefined ? undefined : readStart(started.pid);
    let upSince: number | undefined;
    // The child writes to the pipe once, when it is up.
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
        console.error(`${name} ended with ${describeEnding(ending)} and is not started again`);
      exitAs(ending);
      return;
    }
    restarts += 1;
    const previous = { pid, start: startedAt, how: describeEnding(ending), restarts };
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

  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  start({});
}

function describeEnding({ code, signal }: Ending): string {
  return signal ?? `exit code ${String(code)}`;
}

/** Ends this process in the way that the child ended. */
function exitAs({ code, signal }: Ending): void {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
