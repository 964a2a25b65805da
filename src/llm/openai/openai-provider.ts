import type { Dispatcher } from 'undici';
import type { ProviderName } from '../../contracts/http/llm';
import { retryDelay } from '../../contracts/retries';
import { createClient } from './client';
import { createFunctionNames } from './function-names';
import { Learned } from './learned';
import { toMessages } from './messages';
import { type Connection, inCall } from './model-call';
import { askBySchema } from './schema-answer';
import { askStructured } from './structured';
import { askForTools } from './tool-choice';
import type { LlmProvider } from '../provider';

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
  /** The wait after the given attempt where the provider names none, milliseconds. Default: the delays of tools. */
  readonly retryDelayMs?: (attempt: number) => number;
}

const OPENAI_URL = 'https://api.openai.com/v1';

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
        const messages = toMessages(request.messages, createFunctionNames([]));
        const { onText } = context;
        const answer = await (onText === undefined
          ? call.ask({ messages })
          : call.askAloud({ messages }, onText));
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
