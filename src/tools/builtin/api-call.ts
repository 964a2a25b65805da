import { isSafeMethod } from '../../contracts/runs/approval-needs';
import { fitDetail } from '../../contracts/json';
import type { Egress, EgressResponse } from '../../egress/egress';
import { isHoldfastError, toolError, validationError, withDetails } from '../../base/errors';
import { withQuery } from '../../contracts/with-query';
import type { Sandbox } from '../../sandbox/sandbox';
import type { BuiltinTool, ToolArguments, ToolContext, ToolOutput } from '../tool';
import { apiCallDeclaration, HTTP_METHODS, type HttpMethod } from './declarations';
import { isExpected, readExpected } from './expected-status';
import { requestForTool, withoutQuery } from './http-retries';
import { readAny, readChoice, readString } from './read-arguments';
import { readPages } from './next-page';
import { readAllPages } from './read-pages';
import { encodeBody, readParams } from './request-body';
import { readHeaders, PARSE_CHOICES, type ParseChoice, shownHeaders } from './headers';
import { isLargeJson, notJson, readResponseData, type ResponseData, textOf, utf8Of } from './response-data';
import { isRepeatableRequest } from '../../contracts/runs/calls';

const KEY_HEADER = 'idempotency-key';
/** What the statuses of pages have to be if the caller does not say otherwise. */
const SUCCESS = readExpected('2xx', '');

/** What was read of a response: its data, or their JSON text if they are large. */
export interface HttpAnswer extends Partial<ResponseData> {
  readonly status: number;
  readonly json?: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends one HTTP request, or one for each page of a list; the value is `{ status, data, headers }`, with `encoding: 'base64'` for a
 * binary body. A request that may change something carries an `Idempotency-Key`, and is sent again only if its caller says that it
 * is `repeatable`.
 * @param toOutput makes another value of a response that is no list of pages
 */
export function createApiCall(
  egress: Egress,
  largeJson: Pick<Sandbox, 'rewriteJson'>,
  sandbox: Pick<Sandbox, 'queryJson'>,
  toOutput: (answer: HttpAnswer) => ToolOutput = wholeAnswer,
): BuiltinTool {
  async function readOutput(
    response: EgressResponse,
    parse: ParseChoice | undefined,
    context: ToolContext,
  ): Promise<ToolOutput> {
    const { status } = response;
    const headers = shownHeaders(response.headers);
    if (!isLargeJson(response, parse))
      return toOutput({ status, ...readResponseData(response, parse), headers });
    const json = await largeJson.rewriteJson(utf8Of(response), context);
    if (json !== undefined) return toOutput({ status, json, headers });
    if (parse === 'json') throw notJson();
    // The thread has found out that it is not JSON, so it stays text.
    return toOutput({ status, data: textOf(response), headers });
  }

  return {
    ...apiCallDeclaration,
    async run(args, context) {
      const startedAt = performance.now();
      const method = readMethod(args);
      const expected = readExpected(readAny(args, 'expect'), 'args.expect');
      const parse = readParse(args);
      const pages = readPages(readAny(args, 'paginate'), 'args.paginate');
      if (pages !== undefined && method !== 'GET') throw validationError('args.paginate', 'is for GET alone');
      const headers = readHeaders(readAny(args, 'headers') ?? {}, 'args.headers');
      const url = withQuery(
        readString(args, 'url'),
        readParams(readAny(args, 'params') ?? {}, 'args.params'),
      );
      const body = encodeBody(readAny(args, 'body'), readAny(args, 'form'), headers);
      if (pages !== undefined && body !== undefined)
        throw validationError('args.paginate', 'has no body beside it');
      const { idempotencyKey } = context;
      if (idempotencyKey !== undefined && !isSafeMethod(method) && !headers.has(KEY_HEADER)) {
        headers.set(KEY_HEADER, idempotencyKey);
      }
      const repeatable = isRepeatableRequest(args);
      const wanted = expected ?? (pages === undefined ? undefined : SUCCESS);
      const request = async (address: string, sent: ReadonlyMap<string, string>): Promise<EgressResponse> => {
        const response = await requestForTool(
          egress,
          {
            url: address,
            method,
            headers: Object.fromEntries(sent),
            body,
            withinHost: context.withinHost ?? false,
            redirectHosts: context.redirectHosts ?? [],
          },
          {
            context,
            startedAt,
            repeatable,
            isWanted: (status) => expected !== undefined && isExpected(expected, status),
          },
        );
        if (isExpected(wanted, response.status)) return response;
        throw toolError(
          `${method} ${withoutQuery(response.url)} answered ${response.status}; expected: ${JSON.stringify(args['expect'] ?? '2xx')}`,
          { details: { answer: shortAnswer(response) } },
        );
      };
      if (pages !== undefined) return readAllPages({ url, headers, pages, context, sandbox, request });
      const response = await request(url, headers);
      try {
        return await readOutput(response, parse, context);
      } catch (error) {
        if (!isHoldfastError(error) || error.code !== 'TOOL_EXECUTION_FAILED') throw error;
        const { status } = response;
        throw withDetails(error, { answer: { status, headers: shownHeaders(response.headers) } });
      }
    },
  };
}

/** A response for the details of an error: its status, and its data if they are short. */
function shortAnswer(response: EgressResponse): object {
  const { status } = response;
  const headers = shownHeaders(response.headers);
  try {
    // Parsing a large body would take long, and it is left out anyway.
    const read = isLargeJson(response) ? { data: response.text() } : readResponseData(response);
    return { status, ...read, data: fitDetail(read.data), headers };
  } catch {
    // What cannot be read is no reason to hide the status.
    return { status, headers };
  }
}

/** All of an answer: around data that are JSON text already, it is written as text too. */
function wholeAnswer({ json, ...answer }: HttpAnswer): ToolOutput {
  if (json === undefined) return { value: answer };
  const { status, headers } = answer;
  const end = `,"headers":${JSON.stringify(headers)}}`;
  return {
    value: undefined,
    json: Buffer.concat([Buffer.from(`{"status":${status},"data":`), json, Buffer.from(end)]),
  };
}

function readParse(args: ToolArguments): ParseChoice | undefined {
  return readAny(args, 'parse') === undefined ? undefined : readChoice(args, 'parse', PARSE_CHOICES);
}

function readMethod(args: ToolArguments): HttpMethod {
  const given = readAny(args, 'method');
  const method = typeof given === 'string' ? { method: given.toUpperCase() } : args;
  return readChoice(method, 'method', HTTP_METHODS, 'GET');
}
