import { BUSY_CODES, primaryCode } from '../../base/sqlite-codes';
import { codeOf } from '../../base/errors';
import { storeUnavailable } from '../until-available';

/** Errors that pass with time or that an operator can fix. Any other error (a constraint, misuse) is a mistake in the code. */
const OUTSIDE_CODES = new Set([
  ...BUSY_CODES,
  'SQLITE_AUTH',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_NOMEM',
  'SQLITE_NOTADB',
  'SQLITE_PERM',
  'SQLITE_READONLY',
]);

/**
 * Turns a failure of the store into `STORE_UNAVAILABLE` (retryable) and returns any other error unchanged. A caller may see the
 * message, so it contains neither file nor code; both are in the error's `cause`, for the log.
 */
export function toStoreError(error: unknown, path: string): unknown {
  if (!isStoreFailure(error)) return error;
  return storeUnavailable(describeFailure(primaryCode(error)), path, error);
}

/** True for errors that pass with time or that an operator can fix; false for errors that a change itself throws. */
export function isStoreFailure(error: unknown): boolean {
  return OUTSIDE_CODES.has(primaryCode(error)) || isSystemError(error);
}

function describeFailure(code: string): string {
  if (BUSY_CODES.has(code)) return 'The data store is busy';
  if (code === 'SQLITE_FULL') return 'The disk of the data store is full';
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') return 'The data store is damaged';
  return 'The data store cannot be reached';
}

/** True for an error that Node throws for a file operation. */
function isSystemError(error: unknown): boolean {
  return codeOf(error) !== '' && typeof (error as { syscall?: unknown }).syscall === 'string';
}
