import { isRepeatableRequest } from '../../contracts/runs/repeatable-calls';
import type { Egress } from '../../egress/egress';
import { validationError } from '../../base/errors';
import type { Sandbox } from '../../sandbox/sandbox';
import type { BuiltinTool, ToolArguments } from '../tool';
import { apiCallDeclaration, HTTP_METHODS, type HttpMethod } from './declarations';
import { requestForTool } from './http-retries';
import { readAny, readChoice, readObject, readString } from './read-arguments';
import { isLargeJson, readResponseData, utf8Of } from './response-data';

/**
 * Sends one HTTP request; the value is `{ status, data }`, with `encoding: 'base64'` for a binary body.
 * The request is repeated only where that is harmless: for idempotent methods, or with an `Idempotency-Key` header.
 */
export function createApiCall(egress: Egress, sandbox: Pick<Sandbox, 'rewriteJson'>): BuiltinTool {
  return {
    ...apiCallDeclaration,
    async run(args, context) {
      const startedAt = performance.now();
      const method = readMethod(args);
      const headers = readHeaders(args);
      const body = encodeBody(readAny(args, 'body'), headers);
      const response = await requestForTool(
        egress,
        {
          url: readString(args, 'url'),
          method,
          headers: Object.fromEntries(headers),
          body,
          withinHost: context.withinHost ?? false,
          redirectHosts: context.redirectHosts ?? [],
        },
        { context, startedAt, repeatable: isRepeatableRequest(args) },
      );
      if (isLargeJson(response)) {
        const large = await sandbox.rewriteJson(utf8Of(response), context);
        if (large !== undefined) return { value: undefined, json: wrap(response.status, large) };
        // The thread has found out that it is not JSON, so it stays text.
        return { value: { status: response.status, data: response.text() } };
      }
      return { value: { status: response.status, ...readResponseData(response) } };
    },
  };
}

/** The value of a response whose data is JSON text already. */
function wrap(status: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`{"status":${status},"data":`), data, Buffer.from('}')]);
}

function readMethod(args: ToolArguments): HttpMethod {
  const given = readAny(args, 'method');
  const method = typeof given === 'string' ? { method: given.toUpperCase() } : args;
  return readChoice(method, 'method', HTTP_METHODS, 'GET');
}

/** Headers by lower-case name. Numbers and booleans are converted to text. */
function readHeaders(args: ToolArguments): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(readObject(args, 'headers'))) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw validationError(`args.headers.${name.slice(0, 64)}`, 'must be a string');
    }
    headers.set(name.toLowerCase(), String(value));
  }
  return headers;
}

/** The body as text. Adds the content type that fits, unless the caller has given one. */
function encodeBody(body: unknown, headers: Map<string, string>): string | undefined {
  if (body === undefined || body === null) return undefined;
  const isText = typeof body === 'string';
  if (!headers.has('content-type')) {
    headers.set('content-type', isText ? 'text/plain;charset=UTF-8' : 'application/json');
  }
  return isText ? body : JSON.stringify(body);
}
