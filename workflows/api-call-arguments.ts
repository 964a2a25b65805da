import type { ToolCall } from '../src/contracts/runs';

/**
 * The arguments of the api_call tool, from the configuration of an api_call step whose templates are resolved: `params`
 * become part of the address, the method is written in capitals.
 */
export function apiCallArguments(config: Readonly<Record<string, unknown>>): ToolCall['args'] {
  const { url, method, params, ...rest } = config;
  return {
    ...rest,
    url: typeof url === 'string' ? withQuery(url, params) : url,
    ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
  };
}

function withQuery(url: string, params: unknown): string {
  const pairs = Object.entries((params ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== null && item !== undefined)
      .map((item: unknown) => `${encodeURIComponent(name)}=${encodeURIComponent(asText(item))}`),
  );
  if (pairs.length === 0) return url;
  const hash = url.indexOf('#');
  const [address, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${pairs.join('&')}${fragment}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
