import { validationError } from '../base/errors';
import { MAX_KEY_LENGTH } from './documents';

/** With the `u` flag a pair of surrogates is one code point, so this matches only lone surrogates. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Checks a key by the rules that every adapter applies. Lone surrogates are not allowed, because drivers that use UTF-8 replace
 * them, so that two keys would become one. Throws `VALIDATION`.
 */
export function checkKey(key: string): void {
  if (key.length === 0) throw validationError('key', 'A key must not be empty');
  if (key.length > MAX_KEY_LENGTH) {
    throw validationError('key', `A key must not be longer than ${MAX_KEY_LENGTH} characters`);
  }
  if (LONE_SURROGATE.test(key)) throw validationError('key', 'A key must be well-formed Unicode');
}
