import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { compiledEntry } from '../base/compiled-entry';
import { LINK_FD } from './parent-link';

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
