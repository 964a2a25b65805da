import type { RetryPolicy } from '@temporalio/common';
import type { RetryDelays } from '../../src/contracts/retries';

/** The server takes a worker for dead after this long without a heartbeat, milliseconds. */
export const HEARTBEAT_TIMEOUT_MS = 3_000;

/**
 * Builds the retry policy of an activity. The number of attempts is not bounded here, because an attempt that is lost
 * with its worker must always be followed by another. The activity itself gives up after the attempts that its limits
 * allow, and its deadline ends all attempts.
 */
export function retryPolicy({ firstMs, factor, longestMs }: RetryDelays): RetryPolicy {
  return { initialInterval: firstMs, backoffCoefficient: factor, maximumInterval: longestMs };
}
