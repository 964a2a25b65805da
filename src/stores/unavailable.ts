import { HoldfastError, messageOf } from '../base/errors';

/**
 * A `STORE_UNAVAILABLE` error. Its message may be shown to a caller; `where` (a file, an address) and what happened
 * there are in its cause, for the log.
 */
export function storeUnavailable(message: string, where: string, error: unknown): HoldfastError {
  const detail = codeOf(error);
  const suffix = detail === '' ? '' : ` (${detail})`;
  const cause = new Error(`${where}: ${messageOf(error)}${suffix}`, { cause: error });
  return new HoldfastError('STORE_UNAVAILABLE', message, { retryable: true, cause });
}

/** What every operation throws once its store was closed. Retryable, because another process may have it open. */
export function storeClosed(): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', 'The data store is closed', { retryable: true });
}

/**
 * The code of an error of Node or of a driver; empty where it has none. By code and not by class, because one
 * process may hold several copies of the classes, as test runners do.
 */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
