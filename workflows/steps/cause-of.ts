import { ActivityFailure } from '@temporalio/common';

/** Unwraps the cause of a failed step: Temporal wraps it in an ActivityFailure, which names the step. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}
