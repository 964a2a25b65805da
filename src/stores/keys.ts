import { validationError } from '../base/errors';
import { MAX_KEY_LENGTH } from './documents';

/** With the `u` flag a pair is one code point, so this finds lone surrogates only. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The rule for keys that every adapter applies. Lone surrogates are out because drivers that speak UTF-8
 * replace them, and two keys would become one.
 * Throws `VALIDATION`.
 */
export function checkKey(key: string): void {
  if (key.length === 0) throw validationError('key', 'A key must not be empty');
  if (key.length > MAX_KEY_LENGTH) {
    throw validationError('key', `A key must not be longer than ${MAX_KEY_LENGTH} characters`);
  }
  if (LONE_SURROGATE.test(key)) throw validationError('key', 'A key must be well-formed Unicode');
}
