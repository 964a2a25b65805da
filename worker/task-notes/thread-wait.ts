import { readFileSync, readlinkSync } from 'node:fs';

const NS_PER_MS = 1e6;

/** The system's id of the thread that calls this; 0 where the system does not tell. */
export function ownThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * How long a thread of this process has been ready to run and had no processor, in all, ms. Linux tells it; elsewhere this is 0,
 * and a thread counts as running all the time.
 */
export function waitedForProcessorMs(threadId: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / NS_PER_MS;
  } catch {
    return 0;
  }
}
