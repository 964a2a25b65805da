import { codeOf } from './errors';

/** Codes of errors by which another connection holds the lock. */
export const BUSY_CODES: ReadonlySet<string> = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL']);

/** True if another connection holds the lock. The connection is intact, and a repeat soon afterwards may succeed. */
export function isBusy(error: unknown): boolean {
  return BUSY_CODES.has(primaryCode(error));
}

/** Returns the primary code of an extended one such as `SQLITE_IOERR_FSYNC`; empty for errors that are not SQLite's. */
export function primaryCode(error: unknown): string {
  const code = codeOf(error);
  return code.startsWith('SQLITE_') ? code.split('_', 2).join('_') : '';
}
