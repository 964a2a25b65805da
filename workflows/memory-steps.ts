import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { MemoryActivities } from '../activities/memory';
import type { RetryDelays } from '../src/contracts/retries';
import { createFailure } from './tool-failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './tool-step';

/** A store may be away for a while, and nobody waits. */
const DELAYS: RetryDelays = { firstMs: 500, factor: 2, longestMs: 30_000 };
/** A day, milliseconds. */
const STEP_LIMIT_MS = 86_400_000;
/** One attempt at a step. */
const ATTEMPT_LIMIT_MS = 600_000;

/**
 * The steps of a run, each with a line of its own in the Temporal UI.
 * @param limitMs longest a step may be tried, its repeats included
 */
export function memorySteps(summary: string, limitMs = STEP_LIMIT_MS): MemoryActivities {
  return proxyActivities<MemoryActivities>({
    startToCloseTimeout: ATTEMPT_LIMIT_MS,
    scheduleToCloseTimeout: limitMs,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: retryPolicy(DELAYS),
    summary,
  });
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
