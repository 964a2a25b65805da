/** How a transient failure is tried again: the wait grows from the first to the longest, milliseconds. */
export interface RetryDelays {
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
}

/** Of a tool, unless a step says otherwise. */
export const RETRY_DELAYS: RetryDelays = { firstMs: 250, factor: 2, longestMs: 5_000 };

/** Of a model call as a whole, unless a step says otherwise. */
export const MODEL_RETRY_DELAYS: RetryDelays = { firstMs: 500, factor: 2, longestMs: 10_000 };

/** The wait after the given attempt, counted from 1, milliseconds. */
export function retryDelay(attempt: number, delays: RetryDelays = RETRY_DELAYS): number {
  return Math.min(delays.longestMs, delays.firstMs * delays.factor ** (attempt - 1));
}
