import { toolError } from '../base/errors';

/** Headers by lower-case name. */
export type HeaderMap = ReadonlyMap<string, string>;

/** RFC 9110 §5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110 §5.5, without line breaks, which could smuggle a second request. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * They describe the connection or the framing of the message, which are decided here. `host` would let a
 * request reach another site than the one its address was checked for.
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

/** The caller's headers, checked, over the defaults of every request. */
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
      throw toolError(`Request refused: the value of the header ${name} has characters no header may have`);
    }
    headers.set(key, value);
  }
  return headers;
}

/** A response's headers as undici gives them. */
export function incomingHeaders(
  raw: Readonly<Record<string, string | readonly string[] | undefined>>,
): HeaderMap {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  return headers;
}
