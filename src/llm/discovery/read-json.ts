import { once } from 'node:events';
import { request as overHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { parseJson } from '../../base/json/parse';
import { readBody } from '../../egress/body';

/** A body that is compressed against the request is not decompressed, and so is no JSON. */
const NO_HEADERS: ReadonlyMap<string, string> = new Map();
const MAX_ANSWER_BYTES = 1_048_576;

export interface JsonQuestion {
  readonly url: string;
  /** Absent: the request carries no key. */
  readonly apiKey?: string | undefined;
  /** Sent as JSON by POST; absent: GET. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Maximum length of the answer. Default 1 MB. */
  readonly maxBytes?: number;
}

/**
 * Reads JSON from a model server. It follows no redirect, uses no proxy and keeps no connection.
 * @throws Error if the server does not answer with 200 and JSON of the length in time
 */
export async function readJson({
  url,
  apiKey,
  body,
  signal,
  maxBytes = MAX_ANSWER_BYTES,
}: JsonQuestion): Promise<unknown> {
  const options: RequestOptions = {
    agent: false,
    signal,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
  };
  const request = url.startsWith('https:') ? overHttps(url, options) : overHttp(url, options);
  // An error that comes once the answer has begun ends the reading of the body too.
  request.on('error', () => undefined);
  try {
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    return parseJson((await readBody(response, NO_HEADERS, maxBytes)).toString());
  } finally {
    request.destroy();
  }
}
