import type { Caller } from '../../src/access/caller';
import { validationError } from '../../src/base/errors';
import { otherUserDenied } from '../http/check-user';

/**
 * Chooses the user whom a call concerns: the user of the caller, otherwise the one that the call names.
 * @throws HoldfastError `ACCESS_DENIED` if a caller of one user names another; `VALIDATION` if no user is known
 */
export function chooseUser({ userId: own }: Caller, named: unknown): string {
  if (own !== undefined) {
    if (named === undefined || named === own) return own;
    throw otherUserDenied();
  }
  if (typeof named === 'string') return named;
  throw validationError('userId', 'userId is required, because the key or token belongs to no user');
}
