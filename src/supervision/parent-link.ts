import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { compiledEntry } from '../base/compiled-entry';

/** The file descriptor that connects parent and child. Each sees it close when the other process ends. */
export const LINK_FD = 3;

/** The data that the parent passes to the child as its only argument. */
export interface Handover {
  /** The previous process, which ended abnormally. Absent for the first process. */
  readonly previous?: PreviousProcess;
}

export interface PreviousProcess {
  readonly pid: number;
  /** The start time in the form of `ProcessIdentity`. */
  readonly start?: string | undefined;
  /** How the process ended, such as "SIGABRT" or "exit code 1". */
  readonly how: string;
  /** The number of restarts of the child, including this one. */
  readonly restarts: number;
}

/** Reads the data that the parent passed; undefined in a process without such a parent. */
export function readHandover(argument: string | undefined): Handover | undefined {
  return argument === undefined ? undefined : (JSON.parse(argument) as Handover);
}

/**
 * Ends this process by SIGKILL as soon as its parent has ended, so that ports and data folder are free for the next start. A
 * thread watches the parent, because the event loop of the process may be blocked.
 */
export function followParent(): void {
  new Worker(compiledEntry('src/supervision/parent-watch')).unref();
}

/** Reports to the parent that this process has started. From now on the parent also restarts it after an exit code. */
export function reportUp(): void {
  try {
    writeSync(LINK_FD, '\n');
  } catch {
    // The parent has ended, so this process ends in a moment too.
  }
}
