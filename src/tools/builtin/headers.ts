import { validationError } from '../../base/errors';
import { isJsonObject } from '../../contracts/json';
import type { HeaderMap } from '../../egress/headers';

/** Characters of all names and values together. */
const MAX_LENGTH = 16_384;
const MAX_HEADERS = 100;
/**
 * Headers that are of the connection, or of a body that was decompressed already, and cookies, which are credentials. They are not
 * in the output.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'set-cookie',
  'set-cookie2',
  'trailer',
  'transfer-encoding',
]);

/** How the body of a response is read, if its content type does not decide. */
export const PARSE_CHOICES = ['json', 'text', 'base64'] as const;

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

export type ParseChoice = (typeof PARSE_CHOICES)[number];

/**
 * The headers of a response by lower-case name, the values of a repeated one joined by `, `. Those that would exceed 100 headers or
 * 16,384 characters together are left out. Pure.
 */
export function shownHeaders(headers: HeaderMap): Readonly<Record<string, string>> {
  const shown = new Map<string, string>();
  let left = MAX_LENGTH;
  for (const [name, value] of headers) {
    if (LEFT_OUT.has(name) || shown.size >= MAX_HEADERS || name.length + value.length > left) continue;
    left -= name.length + value.length;
    shown.set(name, value);
  }
  return Object.fromEntries(shown);
}
