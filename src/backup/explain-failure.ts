import { codeOf, HoldfastError, isHoldfastError } from '../base/errors';

/**
 * Adds to an error of the system or of SQLite, such as that of a full disk, what could not be done, so that an operator reads
 * one line. Any other error is returned unchanged.
 */
export function explainFailure(what: string, error: unknown): unknown {
  if (isHoldfastError(error) || codeOf(error) === '') return error;
  return new HoldfastError('STORE_UNAVAILABLE', what, { cause: error });
}
