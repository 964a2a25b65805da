import { type Call, measureThroughput, timeCall } from './load';
import { readOwnCpuMs } from './scale/cpu';
import { median, percentile } from './statistics';

const LATENCY_CALLS = 50;
const THROUGHPUT_CALLS = 320;
export const CALLERS = 16;

/** Something that is measured in turns with others, and its figures, one of each round. */
export interface Subject {
  readonly name: string;
  readonly call: Call;
  /** The process that works; absent if only one caller is measured. */
  readonly pid: number | undefined;
  readonly p50: number[];
  readonly p95: number[];
  readonly rate: number[];
  readonly cpu: number[];
}

export function subject(name: string, call: Call, pid?: number): Subject {
  return { name, call, pid, p50: [], p95: [], rate: [], cpu: [] };
}

/**
 * Measures all subjects once: one caller, whose calls go to the subjects in turn, and then, of subjects whose process is known, 16
 * callers. The subjects begin in another order each round.
 */
export async function measureRound(subjects: readonly Subject[], round: number): Promise<void> {
  const times = new Map(subjects.map((one) => [one, [] as number[]]));
  for (let call = 0; call < LATENCY_CALLS; call += 1)
    for (const [one, samples] of times) samples.push(await timeCall(one.call));
  for (const [one, samples] of times) {
    one.p50.push(median(samples));
    one.p95.push(percentile(samples, 0.95));
  }
  for (const [place] of subjects.entries()) {
    const one = subjects[(place + round) % subjects.length];
    if (one?.pid === undefined) continue;
    const before = readOwnCpuMs(one.pid);
    one.rate.push(await measureThroughput(one.call, CALLERS, THROUGHPUT_CALLS));
    one.cpu.push((readOwnCpuMs(one.pid) - before) / THROUGHPUT_CALLS);
  }
}

/** The ratio of each round, so that changes in the speed of the machine between rounds cancel out. */
export function ratiosOf(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, round) => value / (b[round] ?? Number.NaN));
}
