/** How a transient failure of a tool is tried again: the wait doubles from the first to the longest, milliseconds. */
export const RETRY_DELAYS = { firstMs: 250, factor: 2, longestMs: 5_000 } as const;

/** The wait after the given attempt, counted from 1, milliseconds. */
export function retryDelay(attempt: number): number {
  return Math.min(RETRY_DELAYS.longestMs, RETRY_DELAYS.firstMs * RETRY_DELAYS.factor ** (attempt - 1));
}
