import { isSafeMethod } from '../../contracts/runs/approval-needs';
import { isRepeatableRequest } from '../../contracts/runs/repeatable-calls';
import { fitDetail } from '../../contracts/json';
import type { Egress, EgressResponse } from '../../egress/egress';
import { toolError } from '../../base/errors';
import type { Sandbox } from '../../sandbox/sandbox';
import type { BuiltinTool, ToolArguments, ToolContext, ToolOutput } from '../tool';
import { apiCallDeclaration, HTTP_METHODS, type HttpMethod } from './declarations';
import { isExpected, readExpected } from './expected-status';
import { requestForTool, withoutQuery } from './http-retries';
import { readAny, readChoice, readString } from './read-arguments';
import { readHeaders } from './request-headers';
import { isLargeJson, readResponseData, utf8Of } from './response-data';

const KEY_HEADER = 'idempotency-key';

/**
 * Sends one HTTP request; the value is `{ status, data }`, with `encoding: 'base64'` for a binary body. A request that may
 * change something carries an `Idempotency-Key`, and is sent again only where its caller says that it is `repeatable`.
 */
export function createApiCall(egress: Egress, sandbox: Pick<Sandbox, 'rewriteJson'>): BuiltinTool {
  async function readOutput(response: EgressResponse, context: ToolContext): Promise<ToolOutput> {
    const { status } = response;
    if (!isLargeJson(response)) return { value: { status, ...readResponseData(response) } };
    const large = await sandbox.rewriteJson(utf8Of(response), context);
    if (large !== undefined) return { value: undefined, json: wrap(status, large) };
    // The thread has found out that it is not JSON, so it stays text.
    return { value: { status, data: response.text() } };
  }

  return {
    ...apiCallDeclaration,
    async run(args, context) {
      const startedAt = performance.now();
      const method = readMethod(args);
      const expected = readExpected(readAny(args, 'expect'), 'args.expect');
      const headers = readHeaders(readAny(args, 'headers') ?? {}, 'args.headers');
      const body = encodeBody(readAny(args, 'body'), headers);
      const { idempotencyKey } = context;
      if (idempotencyKey !== undefined && !isSafeMethod(method) && !headers.has(KEY_HEADER)) {
        headers.set(KEY_HEADER, idempotencyKey);
      }
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
        {
          context,
          startedAt,
          repeatable: isRepeatableRequest(args),
          isWanted: (status) => expected !== undefined && isExpected(expected, status),
        },
      );
      if (isExpected(expected, response.status)) return readOutput(response, context);
      const { url, status } = response;
      throw toolError(
        `${method} ${withoutQuery(url)} answered ${status}; expected: ${JSON.stringify(args['expect'])}`,
        { details: { answer: shortAnswer(response) } },
      );
    },
  };
}

/** A response for the details of an error: its status, and its data where they are short. */
function shortAnswer(response: EgressResponse): object {
  const { status } = response;
  // Parsing a large body would take long, and it is left out anyway.
  const read = isLargeJson(response) ? { data: response.text() } : readResponseData(response);
  return { status, ...read, data: fitDetail(read.data) };
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

/** The body as text. Adds the content type that fits, unless the caller has given one. */
function encodeBody(body: unknown, headers: Map<string, string>): string | undefined {
  if (body === undefined || body === null) return undefined;
  const isText = typeof body === 'string';
  if (!headers.has('content-type')) {
    headers.set('content-type', isText ? 'text/plain;charset=UTF-8' : 'application/json');
  }
  return isText ? body : JSON.stringify(body);
}
