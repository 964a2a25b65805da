import { median, percentile } from './statistics';

/** A call that is measured. It resolves when its run has ended. */
export type Call = () => Promise<unknown>;

export interface Latency {
  /** Both in ms. */
  readonly p50: number;
  readonly p95: number;
}

/** Makes `count` calls one after another. */
export async function measureLatency(call: Call, count: number): Promise<Latency> {
  const samples: number[] = [];
  for (let i = 0; i < count; i += 1) samples.push(await timeCall(call));
  return toLatency(samples);
}

/** @param samples ms */
export function toLatency(samples: readonly number[]): Latency {
  return { p50: median(samples), p95: percentile(samples, 0.95) };
}

/** Makes one call. @returns its time, ms */
export async function timeCall(call: Call): Promise<number> {
  const started = performance.now();
  await call();
  return performance.now() - started;
}

/** Makes `count` calls, `callers` of them at a time. @returns the time of each call, ms */
export async function timeCalls(call: Call, callers: number, count: number): Promise<number[]> {
  const times: number[] = [];
  await measureThroughput(async () => void times.push(await timeCall(call)), callers, count);
  return times;
}

/** Makes `count` calls, `callers` of them at a time. @returns calls in a second */
export async function measureThroughput(call: Call, callers: number, count: number): Promise<number> {
  let left = count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left > 0) {
        left -= 1;
        await call();
      }
    }),
  );
  return count / ((performance.now() - started) / 1_000);
}
