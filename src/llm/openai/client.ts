import OpenAI, { type ClientOptions } from 'openai';
import { Agent, type Dispatcher, fetch, Headers, type RequestInit, Response } from 'undici';
import type { ProviderName } from '../../contracts/http/llm';
import { JsonNestingError, parseJson } from '../../base/json/parse';
import { limitBody } from '../../egress/checked-fetch';
import { fitJson } from '../../egress/json-bodies';
import { SHARED, withLookUp } from '../../egress/look-up';
import { answerLost } from '../answer-errors';
import { currentDepth, DEPTH_HEADER } from '../call-depth';
import { MAX_NESTING } from '../../base/json/bounds';
import { isJson } from './json-in-text';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** The maximum of a timer, milliseconds: the limit of the call ends a request, and never the client's own timeout. */
const NO_TIMEOUT_MS = 2_147_483_647;
/** More than any model says. A server that goes on until the call has no time left would fill the memory of the process. */
const MAX_ANSWER_BYTES = 16_777_216;
const REQUEST_HEADERS = ['accept', 'content-type', 'user-agent'];
const ERROR_HEADERS = ['content-type', 'retry-after', 'retry-after-ms'];

export interface ClientSettings {
  readonly provider: ProviderName;
  /** Absent: requests carry no key. */
  readonly apiKey: string | undefined;
  /** The address with the API version in it, as in `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Opens the connections; absent: a separate dispatcher. */
  readonly dispatcher?: Dispatcher | undefined;
}

/**
 * A client that leaves retries and time limits to its caller and reads no environment variables: settings come from the
 * configuration, and a key or header of one provider must not reach another.
 */
export function createClient({ provider, apiKey, baseUrl, dispatcher }: ClientSettings): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    // The client's debug lines contain prompts and headers.
    logLevel: 'off',
    fetch: createFetch(provider, apiKey, dispatcher),
  });
}

function createFetch(
  provider: ProviderName,
  apiKey: string | undefined,
  given: Dispatcher | undefined,
): Fetch {
  // A model may think for longer than the five minutes that Node's own fetch waits.
  const dispatcher = given ?? new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const tooLong = (bytes: number): Error => answerLost(provider, `its answer has more than ${bytes} bytes`);
  const tooDeep = (): Error => answerLost(provider, `its answer is nested deeper than ${MAX_NESTING} levels`);
  const send = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    // A given dispatcher is for addresses of callers: the look-up of such a name ends with the request.
    const lookUp = { ...SHARED, signal: init?.signal ?? undefined };
    const request = { ...init, dispatcher, headers: requestHeaders(init, apiKey) };
    const response = await withLookUp(lookUp, () => fetch(url, request));
    const limited = limitBody(response, MAX_ANSWER_BYTES, tooLong);
    if (!limited.ok) return withErrorObject(limited);
    return isJson(limited) ? fitJson(limited, tooDeep) : limited;
  };
  // The same interface, declared once by Node's types and once by undici's.
  return send as unknown as Fetch;
}

/**
 * Keeps the needed headers only: the client adds some of an environment variable, and some that describe this machine.
 */
function requestHeaders(init: RequestInit | undefined, apiKey: string | undefined): Headers {
  const headers = pickHeaders(new Headers(init?.headers), REQUEST_HEADERS);
  if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`);
  headers.set(DEPTH_HEADER, String(currentDepth() + 1));
  return headers;
}

/**
 * Converts the errors of other servers (`{ message }`, `{ detail }`, `[{ error }]`) to OpenAI's form `{ error: { message } }`,
 * because the client ignores any other form, and with it the server's message.
 */
async function withErrorObject(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(toErrorBody(text), {
    status: response.status,
    headers: pickHeaders(response.headers, ERROR_HEADERS),
  });
}

function pickHeaders(headers: Headers, names: readonly string[]): Headers {
  const picked = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}

function toErrorBody(text: string): string {
  let sent: unknown;
  try {
    sent = parseJson(text);
  } catch (error) {
    // The client would write an error that is nested too deeply as JSON, recursively.
    if (!(error instanceof JsonNestingError)) return text;
    return JSON.stringify({ error: { message: `an error that cannot be read: ${error.message}` } });
  }
  const body: unknown = Array.isArray(sent) ? sent[0] : sent;
  if (typeof body !== 'object' || body === null) return text;
  if ('error' in body) return body === sent ? text : JSON.stringify(body);
  const { message, detail, code } = body as Record<string, unknown>;
  const words = message ?? detail;
  return words === undefined ? text : JSON.stringify({ error: { message: words, code } });
}
