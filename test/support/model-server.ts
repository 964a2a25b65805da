import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type OpenAI from 'openai';
import { sendJson, startStubPeer } from './stub-peer';

/** A request that arrived, and how it ended. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The request's JSON. */
  readonly body: OpenAI.ChatCompletionCreateParams;
  /** The value of `performance.now()` at its arrival. */
  readonly receivedAt: number;
  /** True once the client has closed the connection before the answer was complete. */
  closed: boolean;
}

/** What the server does with one request. */
export type Behaviour = (request: ModelRequest, response: ServerResponse) => void | Promise<void>;

export interface ModelServer {
  /** The base address in the form of the setting: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** In the order of their arrival. */
  readonly requests: readonly ModelRequest[];
  /** Queues one behaviour for each of the next requests, in order. */
  script(...behaviours: Behaviour[]): void;
  /** Sets the behaviour for an empty queue; `says('ok')` at first. */
  otherwise(behaviour: Behaviour): void;
  /** Sets what it answers about itself, by path, such as `/v1/models`; at first 404 to all. */
  tells(answers: Readonly<Record<string, object>>): void;
  /** Restores the initial state: the queue and the remembered requests are empty. */
  reset(): void;
  close(): Promise<void>;
}

export interface ModelServerRules {
  /** Refuses a request before it counts as one: it is neither remembered nor taken from the queue. */
  readonly refusalOf?: (body: OpenAI.ChatCompletionCreateParams) => Behaviour | undefined;
}

/** A scripted chat API over HTTP on a random port, in the form of OpenAI and of local servers. */
export async function startModelServer({ refusalOf }: ModelServerRules = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const queue: Behaviour[] = [];
  let rest: Behaviour = says('ok');
  let about: Readonly<Record<string, object>> = {};
  const peer = await startStubPeer(async ({ method, path, headers, body }, response) => {
    // The service asks a server about itself, which is no request to a model.
    if (method === 'GET' || path.startsWith('/api/')) {
      const answer = about[path];
      if (answer === undefined) return sendJson(response, 404, { error: { message: 'not found' } });
      return sendJson(response, 200, answer);
    }
    const request: ModelRequest = {
      path,
      headers,
      body: body === '' ? {} : JSON.parse(body),
      receivedAt: performance.now(),
      closed: false,
    };
    const refusal = refusalOf?.(request.body);
    if (refusal !== undefined) return refusal(request, response);
    requests.push(request);
    response.on('close', () => (request.closed = !response.writableFinished));
    await (queue.shift() ?? rest)(request, response);
  });
  return {
    url: `${peer.url}/v1`,
    requests,
    script: (...behaviours) => void queue.push(...behaviours),
    otherwise: (behaviour) => void (rest = behaviour),
    tells: (answers) => void (about = answers),
    reset() {
      requests.length = 0;
      queue.length = 0;
      rest = says('ok');
      about = {};
    },
    close: () => peer.close(),
  };
}

export interface AnswerOptions {
  /**
   * The reported prompt and completion tokens, 10 and 5 by default, and the total if it is not their sum; null if
   * none are reported, as by some local servers.
   */
  readonly usage?: readonly [number, number, number?] | null;
  readonly finishReason?: string;
}

/** Answers with a text, streamed word by word if the request asks for a stream. */
export function says(text: string, options: AnswerOptions = {}): Behaviour {
  return (request, response) => {
    if (request.body.stream === true) return streams(text.match(/\S+\s*/g) ?? [], options)(request, response);
    return sendAnswer({ content: text }, { finishReason: 'stop', ...options })(request, response);
  };
}

/** A part of an answer's content, as Mistral's reasoning models have them. */
export type ContentPart = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Answers with a list of parts, each streamed in an event if the request asks for a stream. */
export function saysParts(parts: readonly ContentPart[], options: AnswerOptions = {}): Behaviour {
  return (request, response) => {
    const pieces = parts.map((part) => [part]);
    if (request.body.stream === true) return streams(pieces, options)(request, response);
    return sendAnswer({ content: parts }, { finishReason: 'stop', ...options })(request, response);
  };
}

/** Answers with a JSON value as its text. */
export function saysJson(value: unknown, options?: AnswerOptions): Behaviour {
  return says(JSON.stringify(value), options);
}

/** A tool call. `args` as text is sent unchanged, so that it may be invalid; `id` defaults to `call_<index>`. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string;
}

/** Answers with tool calls. */
export function callsTools(calls: readonly ScriptedCall[], options: AnswerOptions = {}): Behaviour {
  const toolCalls = calls.map(({ name, args, id }, index) => ({
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return sendAnswer({ content: null, tool_calls: toolCalls }, { finishReason: 'tool_calls', ...options });
}

/** Answers with an error; a text as `error` is the whole body, an object the API's `error` object. */
export function fails(status: number, error: string | object = 'failed', headers: object = {}): Behaviour {
  return (_request, response) => {
    if (typeof error === 'string') response.writeHead(status, { ...headers }).end(error);
    else sendJson(response, status, { error }, headers);
  };
}

/** Answers 429 with this `Retry-After`: seconds or a date. */
export function limitsRate(retryAfter: string): Behaviour {
  return fails(429, { message: 'Rate limit reached' }, { 'retry-after': retryAfter });
}

/** Answers 404 in the form of OpenAI. */
export function knowsNoModel(): Behaviour {
  return (request, response) => {
    const message = `The model \`${request.body.model}\` does not exist or you do not have access to it.`;
    return fails(404, { message, type: 'invalid_request_error', code: 'model_not_found' })(request, response);
  };
}

/** Answers 401 and repeats the key, as some servers do. */
export function refusesKey(status: 401 | 403 = 401): Behaviour {
  return (request, response) => {
    const message = `Incorrect API key provided: ${request.headers.authorization ?? 'none'}`;
    return fails(status, { message, code: 'invalid_api_key' })(request, response);
  };
}

/** Answers 200 with a body that is not JSON. */
export function babbles(): Behaviour {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": [');
  };
}

/** Closes the connection without an answer. */
export function drops(): Behaviour {
  return (_request, response) => void response.destroy();
}

/** Never answers. */
export function hangs(): Behaviour {
  return () => undefined;
}

/** Answers after a time, milliseconds, unless the client closes the connection before. */
export function slowly(milliseconds: number, behaviour: Behaviour): Behaviour {
  return async (request, response) => {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const isTime = await delay(milliseconds, true, { signal: closed.signal }).catch(() => false);
    if (isTime) await behaviour(request, response);
  };
}

export interface StreamOptions extends AnswerOptions {
  /**
   * After the texts: `complete` as it should be; `cut` closes the connection; `short` ends the answer in good
   * order but without the events that end it; `hang` leaves it open; `error` sends an error event; `garbled` one
   * that is no JSON. Default `complete`.
   */
  readonly ending?: 'complete' | 'cut' | 'short' | 'hang' | 'error' | 'garbled';
}

/** Streams texts, or lists of parts, one event each. */
export function streams(
  texts: readonly (string | readonly ContentPart[])[],
  options: StreamOptions = {},
): Behaviour {
  const { ending = 'complete', finishReason = 'stop', usage } = options;
  return (request, response) => {
    const send = (data: unknown): void => void response.write(`data: ${JSON.stringify(data)}\n\n`);
    const chunk = (fields: object) => ({ ...envelope(request, 'chat.completion.chunk'), ...fields });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const content of texts) send(chunk({ choices: [{ index: 0, delta: { content } }] }));
    if (ending === 'hang') return;
    if (ending === 'short') return void response.end();
    // Ending the socket still delivers what was written before.
    if (ending === 'cut') return void response.socket?.end();
    if (ending === 'garbled') response.write('data: {"choices": [\n\n');
    else if (ending === 'error') send({ error: { message: 'overloaded' } });
    else {
      send(chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] }));
      if (usage !== null) send(chunk({ choices: [], ...usageOf(usage) }));
    }
    response.end('data: [DONE]\n\n');
  };
}

function sendAnswer(message: object, { finishReason, usage }: AnswerOptions): Behaviour {
  return (request, response) =>
    sendJson(response, 200, {
      ...envelope(request, 'chat.completion'),
      choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', ...message } }],
      ...usageOf(usage),
    });
}

function envelope({ body }: ModelRequest, object: string) {
  return { id: 'chatcmpl-1', object, created: 1_700_000_000, model: body.model };
}

function usageOf(usage: AnswerOptions['usage'] = [10, 5]): object {
  if (usage === null) return {};
  const [prompt, completion, total = prompt + completion] = usage;
  return { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } };
}
