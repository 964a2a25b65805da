import { ActivityFailure } from '@temporalio/common';

/** Why a step failed. The engine wraps it in a failure that says which step it was. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}
