import type { ToolCall } from '../../src/contracts/runs/tools';
import { TemplateReferenceError } from '../../src/templates/resolve';

/**
 * Builds the arguments of the api_call tool from the configuration of an api_call step whose templates are resolved:
 * `params` become part of the URL, and the method is written in capitals. Values of a wrong type are passed on, for the
 * tool to reject.
 * @throws TemplateReferenceError where `params` is not an object
 */
export function apiCallArguments(config: Readonly<Record<string, unknown>>): ToolCall['args'] {
  const { params, ...rest } = config;
  const { url, method } = rest;
  return {
    ...rest,
    url: typeof url === 'string' ? withQuery(url, params) : url,
    ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
  };
}

function withQuery(url: string, params: unknown): string {
  const pairs = Object.entries(asObject(params)).flatMap(([name, value]) =>
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

function asObject(params: unknown): object {
  if (typeof params === 'object' && !Array.isArray(params)) return params ?? {};
  if (params === undefined) return {};
  const kind = Array.isArray(params) ? 'array' : typeof params;
  throw new TemplateReferenceError('config.params', `an object is needed, it is of type ${kind}`);
}

/**
 * Encodes text for a URL. A lone surrogate cannot be encoded, so it becomes U+FFFD, as the WHATWG URL standard has it.
 */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
