import { toolError } from '../errors';
import type { HeaderMap } from './headers';

/** One request of the chain that redirects make. */
export interface Hop {
  readonly url: URL;
  /** Upper case. */
  readonly method: string;
  readonly headers: HeaderMap;
  readonly body: string | Buffer | undefined;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers about a body that is no longer sent; the fetch standard calls them request-body-headers. */
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type'];

/** What one site was given to know the caller by is nothing to another. */
const CREDENTIAL_HEADERS = ['authorization', 'cookie'];

/**
 * Parses the address of a request, relative to `base` in a redirect. Host names are brought to their one
 * form here, so that `0x7f.1` and `2130706433` are 127.0.0.1 from here on. A user name or password in the
 * address is refused, not turned into a header: addresses end up in logs and histories.
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
 * The request that follows a redirect, by the fetch standard's HTTP-redirect fetch, or undefined where the
 * response is final. Goes beyond the standard in dropping `Cookie` as well as `Authorization` across origins.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = parseHttpUrl(location, hop.url);
  const becomesGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  const dropped = [
    ...(becomesGet ? BODY_HEADERS : []),
    ...(url.origin === hop.url.origin ? [] : CREDENTIAL_HEADERS),
  ];
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: new Map([...hop.headers].filter(([name]) => !dropped.includes(name))),
    body: becomesGet ? undefined : hop.body,
  };
}

/** Whether two addresses are of one host: `example.com` and `www.example.com` are, another port is none. */
export function isSameHost(one: URL, other: URL): boolean {
  const [first, second] = [one, other].map(({ host }) => host.replace(/^www\./, ''));
  return first === second;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
