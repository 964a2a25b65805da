import type OpenAI from 'openai';
import type { ChatRequest, ProviderName, TokenUsage } from '../../contracts/http/llm';
import type { HoldfastError } from '../../base/errors';
import { startTimeLimit } from '../../base/async/time-limit';
import { hideKeys } from '../../secrets/hide-keys';
import { OutputInvalidError } from '../output-invalid';
import type { CallContext } from '../provider';
import { withRetries } from '../../base/http/retries';
import { addUsage, NO_USAGE } from '../../contracts/runs/token-usage';
import { type Answer, countUsage, readAnswer } from './answer';
import { timedOut, toModelError, unavailable } from './errors';
import { generationSettings, type Message } from './messages';

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Extras = Pick<Body, 'tools' | 'tool_choice' | 'response_format'>;
type Stream = AsyncIterable<OpenAI.ChatCompletionChunk>;

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
}

/** One call of the provider: all requests that it needs, within one time limit. */
export interface ModelCall {
  readonly provider: ProviderName;
  readonly model: string;
  readonly signal: AbortSignal;
  /** Sends one request with its retries and adds its tokens to `usage`. Throws the errors of `LlmProvider`. */
  ask(messages: readonly Message[], extras?: Extras): Promise<Answer>;
  /** As `ask`, up to the first byte of a streamed answer; it counts no tokens. */
  askForStream(messages: readonly Message[]): Promise<Stream>;
  /** The tokens of all answers so far. */
  usage(): TokenUsage;
  /** The error for an answer that does not fit the request. */
  invalid(problem: string, usage?: TokenUsage): OutputInvalidError;
  /** The error for an answer that did not arrive whole. */
  broken(reason: string): HoldfastError;
  /** Converts anything that was thrown; an abort becomes the signal's reason. */
  toError(thrown: unknown): unknown;
  /** Stops the clock. The caller has to call it when the call is over. */
  end(): void;
}

/** Opens a call and starts its clock. */
export function openCall(connection: Connection, request: ChatRequest, context: CallContext): ModelCall {
  const { client, provider, apiKey, defaultModel, maxAttempts, retryDelayMs, limitName } = connection;
  const model = request.model === undefined || request.model === provider ? defaultModel : request.model;
  const to = { provider, model, apiKey };
  const limit = startTimeLimit({ ...context, timedOut: () => timedOut(to, context.timeoutMs) });
  const { signal } = limit;
  let used = NO_USAGE;

  const buildBody = (messages: readonly Message[], extras?: Extras): Body => ({
    model,
    messages: [...messages],
    ...generationSettings(request, limitName),
    ...extras,
  });
  const retry = <T>(attempt: () => Promise<T>): Promise<T> =>
    withRetries(attempt, {
      limit,
      maxAttempts,
      retryDelayMs,
      toError: (error) => toModelError(error, to),
    });
  const call: ModelCall = {
    provider,
    model,
    signal,
    async ask(messages, extras) {
      const answer = await retry(async () => {
        const read = readAnswer(
          await client.chat.completions.create(buildBody(messages, extras), { signal }),
        );
        if (read === undefined) throw call.broken('its answer is not in the form of the chat API');
        return read;
      });
      used = addUsage(used, answer.usage ?? countUsage(messages, answer, extras?.tools));
      if (answer.finishReason === 'withheld') throw call.invalid('the provider withheld the answer');
      return answer;
    },
    askForStream: (messages) =>
      retry(() =>
        client.chat.completions.create(
          { ...buildBody(messages), stream: true, stream_options: { include_usage: true } },
          { signal },
        ),
      ),
    usage: () => used,
    // The problem may repeat the model's answer, which may contain the key.
    invalid: (problem, usage = used) =>
      new OutputInvalidError({ provider, model, problem: hideKeys(problem, apiKey), usage }),
    broken: (reason) => unavailable(to, reason, { retryable: true }),
    toError: (thrown) => (signal.aborted ? (signal.reason as unknown) : toModelError(thrown, to)),
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
  } finally {
    call.end();
  }
}
