import type { Dispatcher } from 'undici';
import type { ChatRequest, ProviderName, ChatResult } from '../../contracts/http/llm';
import { shorten } from '../../contracts/json';
import { retryDelay } from '../../contracts/retries';
import type { Answer } from './answer';
import { mayBeginCallMarkup } from './call-markup';
import { createClient } from './client';
import { createFunctionNames } from './function-names';
import { Learned } from './learned';
import { type Message, toMessages, withObjection } from './messages';
import { type Connection, inCall, type ModelCall } from './model-call';
import { askStructured, askForJson } from './structured';
import { isCallMarkup } from './text-calls';
import { askForTools } from './tool-choice';
import type { LlmProvider, OnText, AnswerSchema, SchemaChatRequest } from '../provider';
import { OPENAI_URL } from '../../contracts/constants';

/** Names the schema to the model. */
const NAME = 'answer';

export interface OpenAiProviderOptions {
  readonly name: Exclude<ProviderName, 'builtin'>;
  readonly defaultModel: string;
  /** Absent: requests carry no key. */
  readonly apiKey: string | undefined;
  /** The address with the API version in it; absent: that of OpenAI. */
  readonly baseUrl: string | undefined;
  /** Opens the connections; absent: a separate dispatcher, which connects to any address. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Maximum number of attempts at a request that fails transiently, the first included. */
  readonly maxAttempts: number;
  /** The wait after the given attempt if the provider names none, milliseconds. Default: the delays of tools. */
  readonly retryDelayMs?: (attempt: number) => number;
}

/** Characters of an unusable answer that the model is shown again, because they cost as much as its prompt. */
const MAX_REPEATED = 10_000;

/**
 * A provider for OpenAI, or any server that speaks its chat API. It opens no connection before it is called. `model` in
 * results and errors is the requested name, which can be requested again; a provider may have served a dated version of
 * it.
 */
export function createOpenAiProvider(options: OpenAiProviderOptions): LlmProvider {
  const { name, defaultModel, apiKey, maxAttempts, retryDelayMs = retryDelay } = options;
  const connection: Connection = {
    client: createClient({
      provider: name,
      apiKey,
      baseUrl: options.baseUrl ?? OPENAI_URL,
      dispatcher: options.dispatcher,
    }),
    provider: name,
    apiKey,
    defaultModel,
    maxAttempts,
    retryDelayMs,
    limitName: name === 'hosted' ? 'max_completion_tokens' : 'max_tokens',
    learned: new Learned(),
  };
  return {
    name,
    defaultModel,
    chat: (request, context) =>
      inCall(connection, request, context, async (call) => {
        if (request.schema !== undefined) return askBySchema(call, request, request.schema, context.signal);
        const answer = await askInWords(call, request, context.onText);
        const { provider, model } = call;
        const finishReason = answer.finishReason === 'length' ? 'length' : 'stop';
        return { provider, model, content: answer.content, finishReason, usage: call.usage() };
      }),
    structured: (request, context) =>
      inCall(connection, request, context, (call) => askStructured(call, request)),
    chooseTools: (request, context) =>
      inCall(connection, request, context, (call) => askForTools(call, request, context)),
  };
}

/**
 * Asks for an answer in words, a second time if the first one is nothing but calls in the markup of the model, since no
 * tools were offered. Text that may become such markup is not reported.
 * @throws HoldfastError `MODEL_OUTPUT_INVALID` if the second answer is markup too
 */
async function askInWords(call: ModelCall, request: ChatRequest, onText?: OnText): Promise<Answer> {
  const ask = (messages: readonly Message[]): Promise<Answer> =>
    onText === undefined
      ? call.ask({ messages })
      : call.askAloud({ messages }, (soFar) => {
          if (!mayBeginCallMarkup(soFar)) onText(soFar);
        });
  const messages = toMessages(request.messages, createFunctionNames([]));
  const first = await ask(messages);
  if (!isCallMarkup(first.content)) return first;
  const objection = 'There are no tools to call. Answer in words.';
  const second = await ask(withObjection(messages, shorten(first.content, MAX_REPEATED), objection));
  if (!isCallMarkup(second.content)) return second;
  throw call.invalid('it calls a tool in its text, and there are none');
}

/**
 * Asks for an answer that fits a schema of the caller, a second time if the first one does not fit.
 * @param signal ends the checks
 * @throws HoldfastError `MODEL_OUTPUT_INVALID`; the reason of the signal
 */
async function askBySchema(
  call: ModelCall,
  { messages }: SchemaChatRequest,
  { document, findProblem }: AnswerSchema,
  signal: AbortSignal,
): Promise<ChatResult> {
  const { value } = await askForJson(call, messages, {
    name: NAME,
    schema: document,
    async check(value) {
      const problem = await findProblem(value, signal);
      return problem === undefined ? { value } : { problem };
    },
  });
  const { provider, model } = call;
  return {
    provider,
    model,
    content: JSON.stringify(value),
    value,
    finishReason: 'stop',
    usage: call.usage(),
  };
}
