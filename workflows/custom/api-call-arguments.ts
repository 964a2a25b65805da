import type { ToolCall } from '../../src/contracts/runs/tools';
import { withQuery } from '../../src/contracts/with-query';
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
    url: typeof url === 'string' ? withQuery(url, asObject(params)) : url,
    ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
  };
}

function asObject(params: unknown): object {
  if (typeof params === 'object' && !Array.isArray(params)) return params ?? {};
  if (params === undefined) return {};
  const kind = Array.isArray(params) ? 'array' : typeof params;
  throw new TemplateReferenceError('config.params', `an object is needed, it is of type ${kind}`);
}
