import { codeOf, storeUnavailable } from '../unavailable';

const BUSY_CODES = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL']);

/** What time or an operator can mend. The rest (a constraint, misuse) is a mistake in the code. */
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

/** True when another connection holds the lock: trying again soon is enough, the connection is fine. */
export function isBusy(error: unknown): boolean {
  return BUSY_CODES.has(primaryCode(error));
}

/**
 * A failure of the store as `STORE_UNAVAILABLE` (retryable); any other error as it came. The message may be
 * shown to a caller and so names neither file nor code; both are in the error's `cause`, for the log.
 */
export function toStoreError(error: unknown, path: string): unknown {
  if (!isStoreFailure(error)) return error;
  return storeUnavailable(describe(primaryCode(error)), path, error);
}

/** True for what time or an operator can mend; false for what a change itself throws. */
export function isStoreFailure(error: unknown): boolean {
  return OUTSIDE_CODES.has(primaryCode(error)) || isSystemError(error);
}

function describe(code: string): string {
  if (BUSY_CODES.has(code)) return 'The data store is busy';
  if (code === 'SQLITE_FULL') return 'The disk of the data store is full';
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') return 'The data store is damaged';
  return 'The data store cannot be reached';
}

/** Extended codes (`SQLITE_IOERR_FSYNC`) are told apart by nobody here. */
function primaryCode(error: unknown): string {
  const code = codeOf(error);
  return code.startsWith('SQLITE_') ? code.split('_', 2).join('_') : '';
}

/** An error of a file operation, as Node throws it. */
function isSystemError(error: unknown): boolean {
  return codeOf(error) !== '' && typeof (error as { syscall?: unknown }).syscall === 'string';
}
