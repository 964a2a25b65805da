import { HoldfastError, isHoldfastError } from '../src/base/errors';
import type { ModelLimits } from '../src/contracts/runs/workflows';

/**
 * Runs an attempt at a model call. A retryable failure of the model becomes final at the attempt `maxAttempts`; the
 * provider's own retries are not counted. Other retryable failures are repeated until the step's deadline, without a
 * bound on their number.
 * @param attempt from 1
 */
export async function asAttempt<T>(
  attempt: number,
  { maxAttempts }: Pick<ModelLimits, 'maxAttempts'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isHoldfastError(error) || !error.retryable) throw error;
    if (!error.code.startsWith('MODEL_') || attempt < maxAttempts) throw error;
    throw asFinal(error);
  }
}

/** Returns the error without the permission to try again. */
export function asFinal(error: HoldfastError): HoldfastError {
  if (!error.retryable) return error;
  return new HoldfastError(error.code, error.message, { details: error.details, cause: error });
}

/** @param limitMs of the whole step, milliseconds */
export function modelTimeout(limitMs: number): HoldfastError {
  return new HoldfastError('MODEL_TIMEOUT', `The model did not answer within ${limitMs} ms`, {
    details: { timeout: limitMs },
  });
}
