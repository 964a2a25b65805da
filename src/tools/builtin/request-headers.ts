import { validationError } from '../../base/errors';
import { isJsonObject } from '../../contracts/json';

const MAX_SHOWN_NAME = 64;

/**
 * Reads headers by lower-case name. Numbers and booleans are converted to text.
 * @throws HoldfastError `VALIDATION`
 */
export function readHeaders(given: unknown, field: string): Map<string, string> {
  if (!isJsonObject(given)) throw validationError(field, 'must be an object');
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw validationError(`${field}.${name.slice(0, MAX_SHOWN_NAME)}`, 'must be a string');
    }
    headers.set(name.toLowerCase(), String(value));
  }
  return headers;
}
