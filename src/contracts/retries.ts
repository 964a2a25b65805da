/**
 * The waits between attempts after transient failures: they grow by `factor` from `firstMs` to `longestMs`,
 * milliseconds. Inputs of stored histories have these fields, so their names stay.
 */
export interface RetryDelays {
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
}

/** The waits of a tool call, unless a step has its own. */
export const RETRY_DELAYS: RetryDelays = { firstMs: 250, factor: 2, longestMs: 5_000 };

/** The waits of a model call, unless a step has its own. The provider's retries are within one attempt. */
export const MODEL_RETRY_DELAYS: RetryDelays = { firstMs: 500, factor: 2, longestMs: 10_000 };

/** Computes the wait after an attempt, milliseconds. @param attempt counted from 1 */
export function retryDelay(attempt: number, delays: RetryDelays = RETRY_DELAYS): number {
  return Math.min(delays.longestMs, delays.firstMs * delays.factor ** (attempt - 1));
}
