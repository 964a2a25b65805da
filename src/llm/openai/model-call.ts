import type OpenAI from 'openai';
import type { APIError } from 'openai';
import type { ChatRequest, ProviderName, TokenUsage } from '../../contracts/http/llm';
import { type HoldfastError, isHoldfastError } from '../../base/errors';
import { startTimeLimit } from '../../base/async/time-limit';
import { hideKeys } from '../../secrets/hide-keys';
import type { CallContext, OnText } from '../provider';
import { withRetries } from '../../base/http/retries';
import { addUsage, NO_USAGE } from '../../contracts/runs/token-usage';
import { type Answer, readAnswer, type FinishReason, type Piece, readPiece } from './answer';
import { hasTextFiles } from '../file-parts';
import { AnswerLostError, answerLost, OutputInvalidError } from '../answer-errors';
import { filesUnsupported, refusesStreams, timedOut, toModelError } from './errors';
import type { Learned, Trait } from './learned';
import type { Body } from './messages';
import { failedGeneration, findRefused, refusesImages, refusesLength } from './refusals';
import { buildBody, type Way, type Wish, wayOf } from './request-body';
import { createThoughtDivider, divideThoughts, mayBeginThoughts } from './thoughts';
import { countUsage } from './usage';
import { toWellFormed } from '../../base/text/well-formed';
import { isJson } from './json-in-text';

/** A report may read the whole text, so a long one is reported only when it has grown by this share of itself. */
const REPORTED_GROWTH = 1 / 256;

/** A server and the settings of calls to it. */
export interface Connection {
  readonly client: OpenAI;
  readonly provider: ProviderName;
  readonly apiKey: string | undefined;
  readonly defaultModel: string;
  readonly maxAttempts: number;
  readonly retryDelayMs: (attempt: number) => number;
  /** The name of the maximum number of tokens of an answer that the server is tried with first. */
  readonly limitName: 'max_tokens' | 'max_completion_tokens';
  /** What is known of its models. */
  readonly learned: Learned;
}

/** What a caller of `ask` asks for; the settings of the call are added if it names no others. */
export type Asked = Omit<Wish, 'settings'> & Partial<Pick<Wish, 'settings'>>;

/** One call of the provider: all requests that it needs, within one time limit. */
export interface ModelCall {
  readonly provider: ProviderName;
  readonly model: string;
  /**
   * Sends one request with its retries and adds its tokens to `usage`. What the server refuses is asked for in another way
   * at once. Throws the errors of `LlmProvider`.
   */
  ask(question: Asked): Promise<Answer>;
  /**
   * As `ask`, and reports the text while it is made. Each attempt asks for a stream. If the server refuses it, or
   * what it sends breaks off, the same attempt and all later ones ask for the whole.
   */
  askAloud(question: Asked, onText: OnText): Promise<Answer>;
  /** How the next request for this is written. */
  wayOf(question: Asked): Way;
  knows(trait: Trait): boolean;
  /** Remembers what an answer has shown of the model. */
  learn(trait: Trait): void;
  readonly signal: AbortSignal;
  /** The tokens of all answers so far. */
  usage(): TokenUsage;
  /** The error for an answer that does not fit the request. */
  invalid(problem: string): OutputInvalidError;
  /** Converts the error that ended the call to AnswerLostError if the model took a request before. */
  toFailure(error: unknown): unknown;
  /** Stops the clock. The caller has to call it when the call is over. */
  end(): void;
}

/** Opens a call and starts its clock. */
function openCall(connection: Connection, request: ChatRequest, context: CallContext): ModelCall {
  const { client, provider, apiKey, defaultModel, maxAttempts, retryDelayMs } = connection;
  const { limitName, learned } = connection;
  const model = request.model === undefined || request.model === provider ? defaultModel : request.model;
  const known = learned.forCall(model);
  const to = { provider, model, apiKey };
  const limit = startTimeLimit({ ...context, timedOut: () => timedOut(to, context.timeoutMs) });
  const { signal } = limit;
  let used = NO_USAGE;
  let isAnswerLost = false;

  const toWish = (question: Asked): Wish => ({ settings: request, ...question });
  /**
   * Sends a request, and again in another way for each part of it that the server refuses. Only an answer to it shows that
   * these were the reasons.
   */
  async function send<T>(wish: Wish, create: (body: Body) => Promise<T>): Promise<T> {
    for (;;) {
      const body = buildBody(model, wish, { known, limitName });
      try {
        const answered = await create(body);
        known.confirm();
        return answered;
      } catch (error) {
        const refused = refusesImages(error, body)
          ? undefined
          : findRefused(error, body, { isLocal: provider === 'local' });
        if (refused === undefined || known.has(refused)) {
          known.drop();
          if (refusesImages(error, body, { isLast: true }))
            throw filesUnsupported(to, 'image', error as APIError);
          if (refusesLength(error) && hasTextFiles(request.messages))
            throw filesUnsupported(to, 'text', error);
          throw error;
        }
        known.suppose(refused);
      }
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
  const askOnce = async (wish: Wish): Promise<Answer> => {
    try {
      return toAnswer(await send(wish, (body) => client.chat.completions.create(body, { signal })));
    } catch (error) {
      const content = failedGeneration(error);
      if (content === undefined || wish.offer === undefined) throw error;
      return { content, finishReason: 'failed call', calls: [], usage: undefined };
    }
  };

  /** Undefined if the server sends no whole stream. The tokens of text that broke off are counted at once. */
  async function streamOnce(wish: Wish, onText: OnText): Promise<Answer | undefined> {
    const streamed = { stream: true } as const;
    const opened = await send(wish, (body) => {
      const options = known.has('stream_options') ? {} : { stream_options: { include_usage: true } };
      Object.assign(body, options);
      return client.chat.completions.create({ ...body, ...streamed }, { signal }).withResponse();
    }).catch((error: unknown) => {
      if (refusesStreams(error, to)) return undefined;
      throw error;
    });
    if (opened === undefined) return undefined;
    // A server that does not know of streams answers with the whole.
    if (isJson(opened.response)) return toAnswer(await opened.response.json());
    const divide = createThoughtDivider({ isOpened: known.has('opens_in_thoughts') });
    const { content, answer } = await readStream(opened.data, (soFar) => {
      const { said } = divide(soFar);
      if (said !== '' && !mayBeginThoughts(said)) onText(said);
    });
    // The client ends an aborted stream as if it were complete.
    signal.throwIfAborted();
    if (answer === undefined && content !== '')
      used = addUsage(used, countUsage(wish.messages, { content, calls: [] }));
    return answer;
  }

  function accept({ messages, offer }: Wish, answer: Answer): Answer {
    used = addUsage(used, answer.usage ?? countUsage(messages, answer, offer?.functions));
    if (answer.finishReason === 'withheld') throw call.invalid('the provider withheld the answer');
    const { said, isUnopened } = divideThoughts(answer.content);
    if (isUnopened) call.learn('opens_in_thoughts');
    return { ...answer, content: said };
  }

  const call: ModelCall = {
    provider,
    model,
    async ask(question) {
      const wish = toWish(question);
      return accept(wish, await retry(() => askOnce(wish)));
    },
    async askAloud(question, onText) {
      const wish = toWish(question);
      let asksForStream = true;
      const answer = await retry(async () => {
        const streamed = asksForStream ? await streamOnce(wish, onText) : undefined;
        if (streamed !== undefined) return streamed;
        asksForStream = false;
        return askOnce(wish);
      });
      return accept(wish, answer);
    },
    wayOf: (question) => wayOf(toWish(question), known),
    knows: (trait) => known.has(trait),
    learn(trait) {
      known.suppose(trait);
      known.confirm();
    },
    signal,
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

interface StreamedText {
  /** All text that arrived. */
  readonly content: string;
  /** Absent if the stream broke off: it failed, or says so, a chunk was no piece of an answer, or no finish reason came. */
  readonly answer?: Answer;
}

/** Reads an answer that arrives in pieces, and reports its text while it grows. */
async function readStream(chunks: AsyncIterable<unknown>, onText: OnText): Promise<StreamedText> {
  let content = '';
  let reportedLength = 0;
  let finishReason: FinishReason | undefined;
  let usage: Piece['usage'];
  try {
    for await (const chunk of chunks) {
      const piece = readPiece(chunk);
      if (piece === undefined) break;
      finishReason = piece.finishReason ?? finishReason;
      usage = piece.usage ?? usage;
      if (piece.text === '') continue;
      content += piece.text;
      if (content.length - reportedLength < content.length * REPORTED_GROWTH) continue;
      reportedLength = content.length;
      onText(content);
    }
  } catch {
    // The connection failed, or the server sent an error instead of a piece.
  }
  // Some servers divide a surrogate pair between two pieces, so only the whole tells which surrogates are alone.
  content = toWellFormed(content);
  // With a finish reason all text has come, even if the rest of the stream is missing.
  return finishReason === undefined || finishReason === 'failed'
    ? { content }
    : { content, answer: { content, finishReason, calls: [], usage } };
}
