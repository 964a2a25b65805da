import { validationError } from '../base/errors';
import { isWellFormed } from '../base/text/well-formed';
import { MAX_KEY_LENGTH } from './documents';

/**
 * Checks a key by the rules that every adapter applies. Lone surrogates are not allowed, because drivers that use UTF-8 replace
 * them, so that two keys would become one. Throws `VALIDATION`.
 */
export function checkKey(key: string): void {
  if (key.length === 0) throw validationError('key', 'A key must not be empty');
  if (key.length > MAX_KEY_LENGTH) {
    throw validationError('key', `A key must not be longer than ${MAX_KEY_LENGTH} characters`);
  }
  if (!isWellFormed(key)) throw validationError('key', 'A key must be well-formed Unicode');
}
