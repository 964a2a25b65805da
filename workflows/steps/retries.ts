import type { RetryPolicy } from '@temporalio/common';
import type { RetryDelays } from '../../src/contracts/retries';

/** A dead worker is noticed after this long without a heartbeat, milliseconds. */
export const HEARTBEAT_TIMEOUT_MS = 3_000;

/**
 * How the engine repeats an activity. Attempts are not bounded here, because one that is lost with its worker must always be
 * followed by another: an activity itself gives up after the attempts that its limits allow, and its deadline ends everything.
 */
export function retryPolicy({ firstMs, factor, longestMs }: RetryDelays): RetryPolicy {
  return { initialInterval: firstMs, backoffCoefficient: factor, maximumInterval: longestMs };
}
