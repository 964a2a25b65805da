import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { compiledEntry } from '../base/compiled-entry';
import { LINK_FD } from './parent-link';

/**
 * Ends this process by SIGKILL as soon as its parent is gone, so that the next start finds ports and folder free. A thread
 * watches, because the process's own event loop may be blocked.
 */
export function followParent(): void {
  new Worker(compiledEntry('src/supervision/parent-watch')).unref();
}

/** Lets the parent know that this process does its work: from now on it is started again after an exit code too. */
export function reportUp(): void {
  try {
    writeSync(LINK_FD, '\n');
  } catch {
    // The parent is gone, and with it this process in a moment.
  }
}
