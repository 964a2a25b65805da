import { ApplicationFailure } from '@temporalio/common';
import { isErrorCode } from '../src/base/error-codes';
import { HoldfastError, isHoldfastError } from '../src/base/errors';

/** A server may ask for any wait, up to an infinite one, which the engine cannot take; milliseconds. */
const MAX_RETRY_DELAY_MS = 86_400_000;

/** Converts an error to a failure whose `type` is the stable code. */
export function toApplicationFailure(error: HoldfastError): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.code,
    message: error.message,
    nonRetryable: !error.retryable,
    details: error.details && [error.details],
    nextRetryDelay: error.retryAfterMs && Math.min(error.retryAfterMs, MAX_RETRY_DELAY_MS),
    cause: error.cause instanceof Error ? error.cause : undefined,
  });
}

/** Converts a failure back to an error. Its code is `INTERNAL` if the failure's type is not a known code. */
export function fromApplicationFailure(failure: ApplicationFailure): HoldfastError {
  const code = isErrorCode(failure.type) ? failure.type : 'INTERNAL';
  const details = (failure.details?.[0] ?? {}) as Record<string, unknown>;
  const hasDetails = Object.keys(details).length > 0;
  return new HoldfastError(code, failure.message, { ...(hasDetails ? { details } : {}), cause: failure });
}

/**
 * Finds the failure that `rethrowAsFailure` has made of an error, even if the client has wrapped it in another
 * error.
 */
export function findFailure(error: unknown): HoldfastError | undefined {
  const failure = [error, error instanceof Error ? error.cause : undefined].find(
    (candidate) => candidate instanceof ApplicationFailure,
  );
  return failure === undefined ? undefined : fromApplicationFailure(failure);
}

/**
 * Runs code that the SDK calls itself, such as a storage driver, and throws errors of the service as failures. The
 * SDK would lose the code of a `HoldfastError`, but passes failures on unchanged.
 */
export async function rethrowAsFailure<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw isHoldfastError(error) ? toApplicationFailure(error) : error;
  }
}
