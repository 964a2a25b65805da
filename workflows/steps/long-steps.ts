import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { type ActivityOptions, isCancellation } from '@temporalio/workflow';
import type { RetryDelays } from '../../src/contracts/retries';
import { createFailure } from './failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './retries';

/** The pauses are long, because a store may be unavailable for a while and no caller waits for these runs. */
const DELAYS: RetryDelays = { firstMs: 500, factor: 2, longestMs: 30_000 };
/** A day, milliseconds. */
const STEP_LIMIT_MS = 86_400_000;

/** Time limits of a step, milliseconds. */
export interface LongStepLimits {
  /** Limit of one attempt. */
  readonly attemptMs: number;
  /** Limit of the step with all its retries; a day if it is not given. */
  readonly limitMs?: number;
}

/** Builds the options of a step in a run that no caller waits for. @param summary its line in the Temporal UI */
export function longStep(
  summary: string,
  { attemptMs, limitMs = STEP_LIMIT_MS }: LongStepLimits,
): ActivityOptions {
  return {
    startToCloseTimeout: attemptMs,
    scheduleToCloseTimeout: limitMs,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: retryPolicy(DELAYS),
    summary,
  };
}

/** Runs a workflow's steps. A step that fails finally fails the run with the step's own failure. */
export async function withStepFailure<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    // The cause of a timeout is the error of the last attempt.
    const cause = error.cause instanceof TimeoutFailure ? error.cause.cause : error.cause;
    if (cause instanceof ApplicationFailure) {
      throw createFailure(cause.type ?? 'INTERNAL', cause.message, detailsOf(cause), cause);
    }
    throw createFailure('INTERNAL', 'A step could not be run', {}, error);
  }
}

function detailsOf({ details }: ApplicationFailure): object {
  const first: unknown = details?.[0];
  return typeof first === 'object' && first !== null ? first : {};
}
