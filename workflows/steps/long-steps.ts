import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import type { ActivityOptions } from '@temporalio/workflow';
import { isCancellation } from '@temporalio/workflow';
import type { RetryDelays } from '../../src/contracts/retries';
import { createFailure } from './failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './retries';

/** A store may be away for a while, and nobody waits. */
const DELAYS: RetryDelays = { firstMs: 500, factor: 2, longestMs: 30_000 };
/** A day, milliseconds. */
const STEP_LIMIT_MS = 86_400_000;

/** Milliseconds. */
export interface LongStepLimits {
  /** One attempt at the step. */
  readonly attemptMs: number;
  /** Longest the step may be tried, its repeats included; a day where it is not given. */
  readonly limitMs?: number;
}

/** Options of a step in a run that nobody waits for, with a line of its own in the Temporal UI. */
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

/** Runs a workflow's steps; what fails for good ends the run with the step's own failure. */
export async function failingAsItsSteps<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    // When its time is over, what its last attempt said.
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
