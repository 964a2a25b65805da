import { ApplicationFailure } from '@temporalio/common';
import { isErrorCode } from '../src/base/error-codes';
import { HoldfastError, isHoldfastError } from '../src/base/errors';

/** An error as a failure whose `type` is the stable code. */
export function toApplicationFailure(error: HoldfastError): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.code,
    message: error.message,
    nonRetryable: !error.retryable,
    ...(error.details === undefined ? {} : { details: [error.details] }),
    nextRetryDelay: error.retryAfterMs,
    ...(error.cause instanceof Error ? { cause: error.cause } : {}),
  });
}

/** The other way round; without a code that is known, `INTERNAL`. */
export function fromApplicationFailure(failure: ApplicationFailure): HoldfastError {
  const code = isErrorCode(failure.type) ? failure.type : 'INTERNAL';
  const details = (failure.details?.[0] ?? {}) as Record<string, unknown>;
  const hasDetails = Object.keys(details).length > 0;
  return new HoldfastError(code, failure.message, { ...(hasDetails ? { details } : {}), cause: failure });
}

/** What `asFailure` made of an error, also where the client has wrapped it as something unexpected. */
export function failureIn(error: unknown): HoldfastError | undefined {
  const found = [error, error instanceof Error ? error.cause : undefined].find(
    (candidate) => candidate instanceof ApplicationFailure,
  );
  return found === undefined ? undefined : fromApplicationFailure(found);
}

/** Runs what the SDK calls of itself, and which may fail a step: it knows no errors of ours, and keeps failures as they are. */
export async function asFailure<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw isHoldfastError(error) ? toApplicationFailure(error) : error;
  }
}
