import { readFileSync, readlinkSync } from 'node:fs';

const NS_PER_MS = 1e6;

/** Reads the system's id of the calling thread; 0 if the system does not provide it. */
export function readOwnThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * Reads how long a thread of this process has waited for a processor while it was ready to run, in all, ms. Only
 * Linux provides it; on other systems this is 0, so that a thread counts as running all the time.
 */
export function readProcessorWaitMs(threadId: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / NS_PER_MS;
  } catch {
    return 0;
  }
}
