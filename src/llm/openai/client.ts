import OpenAI, { type ClientOptions } from 'openai';
import { Agent, type Dispatcher, fetch, Headers, type RequestInit, Response } from 'undici';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Never the one to end a request: that is the limit of the call. The longest a timer can be, milliseconds. */
const NO_TIMEOUT_MS = 2_147_483_647;
const REQUEST_HEADERS = ['accept', 'content-type', 'user-agent'];
const ERROR_HEADERS = ['content-type', 'retry-after', 'retry-after-ms'];

export interface ClientSettings {
  /** Absent: requests carry none. */
  readonly apiKey: string | undefined;
  /** With the version in it, as in `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Makes the connections; absent: one of its own. */
  readonly dispatcher?: Dispatcher | undefined;
}

/**
 * A client that leaves retries and time limits to its caller, and takes nothing from the environment: settings
 * come from the configuration, and a key or header of one provider must not reach another.
 */
export function createClient({ apiKey, baseUrl, dispatcher }: ClientSettings): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    // Its debug lines hold prompts and headers.
    logLevel: 'off',
    fetch: createFetch(apiKey, dispatcher),
  });
}

function createFetch(apiKey: string | undefined, given: Dispatcher | undefined): Fetch {
  // A model may think for longer than the five minutes that Node's own fetch waits.
  const dispatcher = given ?? new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const send = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    withErrorObject(await fetch(url, { ...init, dispatcher, headers: requestHeaders(init, apiKey) }));
  // The same interface, declared once by Node's types and once by undici's.
  return send as unknown as Fetch;
}

/** The client adds those of an environment variable, and some that tell the server about this machine. */
function requestHeaders(init: RequestInit | undefined, apiKey: string | undefined): Headers {
  const headers = pickHeaders(new Headers(init?.headers), REQUEST_HEADERS);
  if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`);
  return headers;
}

/**
 * Brings the errors of other servers (`{ message }`, `{ detail }`) into OpenAI's form `{ error: { message } }`,
 * as the client passes over any other and with it what the server had to say.
 */
async function withErrorObject(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  return new Response(asErrorBody(text), {
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

function asErrorBody(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof body !== 'object' || body === null || 'error' in body) return text;
  const { message, detail, code } = body as Record<string, unknown>;
  const words = message ?? detail;
  return words === undefined ? text : JSON.stringify({ error: { message: words, code } });
}
