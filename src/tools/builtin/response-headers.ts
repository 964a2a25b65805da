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
