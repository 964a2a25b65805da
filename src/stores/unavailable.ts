import { codeOf, HoldfastError, messageOf } from '../base/errors';

/**
 * Creates a `STORE_UNAVAILABLE` error. A caller may see its message; `where` (a file or an address) and the original error are in
 * its cause, for the log.
 */
export function storeUnavailable(message: string, where: string, error: unknown): HoldfastError {
  const detail = codeOf(error);
  const suffix = detail === '' ? '' : ` (${detail})`;
  const cause = new Error(`${where}: ${messageOf(error)}${suffix}`, { cause: error });
  return new HoldfastError('STORE_UNAVAILABLE', message, { retryable: true, cause });
}

/** Creates the error that every operation of a closed store throws. It is retryable, because another process may answer. */
export function storeClosed(): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', 'The data store is closed', { retryable: true });
}
