import type OpenAI from 'openai';
import type { ChatRequest, ProviderName, TokenUsage } from '../../contracts/http/llm';
import { type HoldfastError, isHoldfastError } from '../../base/errors';
import { startTimeLimit } from '../../base/async/time-limit';
import { hideKeys } from '../../secrets/hide-keys';
import { OutputInvalidError } from '../output-invalid';
import type { CallContext, OnText } from '../provider';
import { withRetries } from '../../base/http/retries';
import { addUsage, NO_USAGE } from '../../contracts/runs/token-usage';
import { type Answer, countUsage, readAnswer, withoutThoughts } from './answer';
import { AnswerLostError, answerLost } from '../answer-lost';
import { refusesSampling, refusesStreams, timedOut, toModelError } from './errors';
import { isJson } from './media-type';
import { generationSettings, type Message } from './messages';
import { readStream } from './stream';

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Extras = Pick<Body, 'tools' | 'tool_choice' | 'response_format'>;

/** A server and the settings of calls to it. */
export interface Connection {
  readonly client: OpenAI;
  readonly provider: ProviderName;
  readonly apiKey: string | undefined;
  readonly defaultModel: string;
  readonly maxAttempts: number;
  readonly retryDelayMs: (attempt: number) => number;
  /** The server's name for the maximum number of tokens of an answer. */
  readonly limitName: 'max_tokens' | 'max_completion_tokens';
  /** Models that have refused a temperature. They are sent none any more. */
  readonly withoutSampling: Set<string>;
}

/** One call of the provider: all requests that it needs, within one time limit. */
export interface ModelCall {
  readonly provider: ProviderName;
  readonly model: string;
  /** Sends one request with its retries and adds its tokens to `usage`. Throws the errors of `LlmProvider`. */
  ask(messages: readonly Message[], extras?: Extras): Promise<Answer>;
  /**
   * As `ask`, and reports the text while it is made. Each attempt asks for a stream. Where the server refuses it, or
   * what it sends breaks off, the same attempt and all later ones ask for the whole.
   */
  askAloud(messages: readonly Message[], onText: OnText): Promise<Answer>;
  /** The tokens of all answers so far. */
  usage(): TokenUsage;
  /** The error for an answer that does not fit the request. */
  invalid(problem: string): OutputInvalidError;
  /** Converts the error that ended the call to AnswerLostError where the model took a request before. */
  toFailure(error: unknown): unknown;
  /** Stops the clock. The caller has to call it when the call is over. */
  end(): void;
}

/** Opens a call and starts its clock. */
function openCall(connection: Connection, request: ChatRequest, context: CallContext): ModelCall {
  const { client, provider, apiKey, defaultModel, maxAttempts, retryDelayMs } = connection;
  const { limitName, withoutSampling } = connection;
  const model = request.model === undefined || request.model === provider ? defaultModel : request.model;
  const to = { provider, model, apiKey };
  const limit = startTimeLimit({ ...context, timedOut: () => timedOut(to, context.timeoutMs) });
  const { signal } = limit;
  let used = NO_USAGE;
  let isAnswerLost = false;

  const buildBody = (messages: readonly Message[], extras?: Extras): Body => ({
    model,
    messages: [...messages],
    ...generationSettings(request, limitName, { isSampled: !withoutSampling.has(model) }),
    ...extras,
  });
  /** Sends a request, and once more where the model refuses its temperature, which reasoning models do. */
  async function send<T>(create: () => Promise<T>): Promise<T> {
    const isSampled = !withoutSampling.has(model);
    try {
      return await create();
    } catch (error) {
      if (!isSampled || !refusesSampling(error)) throw error;
      withoutSampling.add(model);
      return create();
    }
  }
  const retry = <T>(attempt: () => Promise<T>): Promise<T> =>
    withRetries(attempt, {
      limit,
      maxAttempts,
      retryDelayMs,
      toError(error) {
        const known = toModelError(error, to);
        isAnswerLost ||= known instanceof AnswerLostError;
        return known;
      },
    });
  const broken = (reason: string): HoldfastError => answerLost(to.provider, reason);
  const toAnswer = (body: unknown): Answer => {
    const answer = readAnswer(body);
    if (answer === undefined) throw broken('its answer is not in the form of the chat API');
    if (answer.finishReason === 'failed') throw broken('it failed while it answered');
    return answer;
  };
  const askOnce = async (messages: readonly Message[], extras?: Extras): Promise<Answer> =>
    toAnswer(await send(() => client.chat.completions.create(buildBody(messages, extras), { signal })));

  /** Undefined where the server sends no whole stream. The tokens of text that broke off are counted at once. */
  async function streamOnce(messages: readonly Message[], onText: OnText): Promise<Answer | undefined> {
    const streamed = { stream: true, stream_options: { include_usage: true } } as const;
    const opened = await send(() =>
      client.chat.completions.create({ ...buildBody(messages), ...streamed }, { signal }).withResponse(),
    ).catch((error: unknown) => {
      if (refusesStreams(error, to)) return undefined;
      throw error;
    });
    if (opened === undefined) return undefined;
    // A server that does not know of streams answers with the whole.
    if (isJson(opened.response)) return toAnswer(await opened.response.json());
    const { content, answer } = await readStream(opened.data, (soFar) => {
      const said = withoutThoughts(soFar);
      if (said !== '') onText(said);
    });
    // The client ends an aborted stream as if it were complete.
    signal.throwIfAborted();
    if (answer === undefined && content !== '')
      used = addUsage(used, countUsage(messages, { content, calls: [] }));
    return answer;
  }

  function accept(messages: readonly Message[], answer: Answer, extras?: Extras): Answer {
    used = addUsage(used, answer.usage ?? countUsage(messages, answer, extras?.tools));
    if (answer.finishReason === 'withheld') throw call.invalid('the provider withheld the answer');
    return { ...answer, content: withoutThoughts(answer.content) };
  }

  const call: ModelCall = {
    provider,
    model,
    async ask(messages, extras) {
      return accept(messages, await retry(() => askOnce(messages, extras)), extras);
    },
    async askAloud(messages, onText) {
      let asksForStream = true;
      const answer = await retry(async () => {
        const streamed = asksForStream ? await streamOnce(messages, onText) : undefined;
        if (streamed !== undefined) return streamed;
        asksForStream = false;
        return askOnce(messages);
      });
      return accept(messages, answer);
    },
    usage: () => used,
    // The problem may repeat the model's answer, which may contain the key.
    invalid: (problem) =>
      new OutputInvalidError({ provider, model, problem: hideKeys(problem, apiKey), usage: used }),
    toFailure(error) {
      if (!isHoldfastError(error) || error.code !== 'MODEL_UNAVAILABLE') return error;
      if (!isAnswerLost && used.totalTokens === 0) return error;
      const { message, details, retryable, retryAfterMs, cause } = error;
      return new AnswerLostError(message, { details, retryable, retryAfterMs, cause });
    },
    end: limit.end,
  };
  return call;
}

/** Runs `work` as one call of the provider. */
export async function inCall<T>(
  connection: Connection,
  request: ChatRequest,
  context: CallContext,
  work: (call: ModelCall) => Promise<T>,
): Promise<T> {
  const call = openCall(connection, request, context);
  try {
    return await work(call);
  } catch (error) {
    throw call.toFailure(error);
  } finally {
    call.end();
  }
}
