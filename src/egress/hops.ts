import { toolError } from '../base/errors';
import type { HeaderMap } from './headers';

/** One request in a chain of redirects. */
export interface Hop {
  readonly url: URL;
  /** The method in upper case. */
  readonly method: string;
  readonly headers: HeaderMap;
  readonly body: string | Buffer | undefined;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that describe a body; they are removed with it. The fetch standard calls them request-body-headers. */
const BODY_HEADERS: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
]);

/**
 * The headers that are sent to another origin. Credentials have too many names to list, so every other header is removed. The
 * `Idempotency-Key` is not a credential, and a request that may be repeated must keep it everywhere.
 */
const SAFE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'idempotency-key',
  'user-agent',
]);

/** Whether a header of a request is sent to another origin. Pure. @param name in lower case */
export function isTransferable(name: string): boolean {
  return SAFE_HEADERS.has(name);
}

/**
 * Parses the URL of a request, relative to `base` in a redirect. It normalises the host, so that `0x7f.1` and `2130706433` become
 * 127.0.0.1. It refuses a user name or password in the URL, because URLs are written to logs and histories.
 */
export function parseHttpUrl(text: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw toolError(`Request refused: ${quote(text)} is not an address such as https://example.com/path`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw toolError(`Request refused: only http and https addresses can be requested, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw toolError(
      'Request refused: the address contains a user name or password; send an Authorization header instead',
    );
  }
  url.hash = '';
  return url;
}

/**
 * Builds the request that follows a redirect, by the fetch standard's HTTP-redirect fetch; undefined if the response is final.
 * It is stricter than the standard: it removes more headers for another origin, and it refuses redirects from https to http,
 * where others could read the request.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED`
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = parseHttpUrl(location, hop.url);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw toolError(
      `Request refused: it was redirected from https to http, to ${url.host}, where others could read it`,
    );
  }
  const isSameOrigin = url.origin === hop.url.origin;
  const becomesGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  const isKept = (name: string): boolean =>
    (isSameOrigin || isTransferable(name)) && !(becomesGet && BODY_HEADERS.has(name));
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: new Map([...hop.headers].filter(([name]) => isKept(name))),
    body: becomesGet ? undefined : hop.body,
  };
}

/** Whether two URLs have the same host. `example.com` and `www.example.com` are the same; another port is another host. */
export function isSameHost(one: URL, other: URL): boolean {
  const [first, second] = [one, other].map(({ host }) => host.replace(/^www\./, ''));
  return first === second;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
