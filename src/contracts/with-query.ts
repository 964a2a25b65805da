import { toWellFormed } from '../base/text/well-formed';

/**
 * Adds parameters to the query of a URL, before its fragment. An array repeats its name; null and undefined are left out. Pure.
 * A lone surrogate cannot be encoded, so it becomes U+FFFD, as the WHATWG URL standard has it.
 */
export function withQuery(url: string, params: object): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== null && item !== undefined)
      .map((item: unknown) => `${encode(name)}=${encode(asText(item))}`),
  );
  if (pairs.length === 0) return url;
  const hash = url.indexOf('#');
  const [address, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${pairs.join('&')}${fragment}`;
}

function encode(text: string): string {
  return encodeURIComponent(toWellFormed(text));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
