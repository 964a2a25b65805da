import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compiledEntry } from '../../src/base/compiled-entry';
import { readResidentBytes } from '../scale/cpu';
import { percentile } from '../statistics';

const SAMPLE_MS = 100;

/** How a process answered its probe while something ran, and how much memory it had. */
export interface Stalls {
  /** Time of an answer of `/livez`, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly maxResidentBytes: number;
}

/**
 * Asks a service for `/livez` every 20 ms from another process, and watches its memory, while `work` runs.
 * @param pid the process whose memory is watched
 */
export async function measureStalls<T>(
  service: { readonly url: string; readonly pid: number },
  work: () => Promise<T>,
): Promise<{ readonly stalls: Stalls; readonly result: T }> {
  const probe = fork(compiledEntry('bench/in-flight/probe'), [service.url]);
  const ended = once(probe, 'exit').then(() => Promise.reject(new Error('the probe ended')));
  // It ends after its last message too, when no code waits for it.
  ended.catch(() => undefined);
  await Promise.race([once(probe, 'message'), ended]);
  let maxResidentBytes = readResidentBytes(service.pid);
  const sampler = setInterval(() => {
    maxResidentBytes = Math.max(maxResidentBytes, readResidentBytes(service.pid));
  }, SAMPLE_MS);
  try {
    const result = await work();
    const answered = once(probe, 'message') as Promise<[number[]]>;
    probe.send('stop');
    const [times] = await Promise.race([answered, ended]);
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(times, share)) as [
      number,
      number,
      number,
    ];
    return { stalls: { p50, p99, max, maxResidentBytes }, result };
  } finally {
    clearInterval(sampler);
    if (probe.connected) probe.disconnect();
  }
}
