import { toolError } from '../base/errors';

/** Headers by lower-case name. */
export type HeaderMap = ReadonlyMap<string, string>;

/** RFC 9110 §5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110 §5.5. Line breaks are not allowed, because they could add a second request. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers of the connection or the framing of the message, which only this client sets. A caller's `host` could send a request to
 * another site than the one whose address was checked.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Checks the caller's headers and adds the defaults of every request. The caller's values take precedence. */
export function outgoingHeaders(given: Readonly<Record<string, string>>, userAgent: string): HeaderMap {
  const headers = new Map([
    ['accept', '*/*'],
    ['accept-encoding', 'gzip, br'],
    ['user-agent', userAgent],
  ]);
  for (const [name, value] of Object.entries(given)) {
    if (!TOKEN.test(name)) throw toolError(`Request refused: ${JSON.stringify(name)} is not a header name`);
    const key = name.toLowerCase();
    if (OWN_HEADERS.has(key)) {
      throw toolError(`Request refused: the header ${name} is set by the server itself; leave it out`);
    }
    if (!VALUE.test(value)) {
      throw toolError(`Request refused: the value of the header ${name} contains invalid characters`);
    }
    headers.set(key, value);
  }
  return headers;
}

/** Converts the headers of a response from the form of undici. */
export function incomingHeaders(
  raw: Readonly<Record<string, string | readonly string[] | undefined>>,
): HeaderMap {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  return headers;
}
