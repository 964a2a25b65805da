import type { ModelLimits } from './workflows';

type Limits = Pick<ModelLimits, 'timeoutMs' | 'maxWaitMs'>;

/** How long a model call and its wait before it may take together, milliseconds. Pure. */
export function wholeTime({ timeoutMs, maxWaitMs = 0 }: Limits): number {
  return timeoutMs + maxWaitMs;
}

/** Shortens a call to the time that is left: first its wait, then the call itself. Pure. @param leftMs milliseconds */
export function fitCall<T extends { readonly timeoutMs: number; readonly maxWaitMs?: number }>(
  limits: T,
  leftMs: number,
): T {
  const timeoutMs = Math.min(limits.timeoutMs, leftMs);
  if (limits.maxWaitMs === undefined) return { ...limits, timeoutMs };
  return { ...limits, timeoutMs, maxWaitMs: Math.min(limits.maxWaitMs, leftMs - timeoutMs) };
}

/**
 * The time that a step has left for a model call. Pure.
 * @param leftMs until the step's deadline, milliseconds
 */
export function callTime(limits: Limits, leftMs: number): Limits {
  // The step of an older run has the time of the call alone, in which it also waits.
  return limits.maxWaitMs === undefined ? { timeoutMs: leftMs, maxWaitMs: leftMs } : fitCall(limits, leftMs);
}
