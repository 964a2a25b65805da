import { retryDelay } from '../../contracts/retries';
import { createClient } from './client';
import { createFunctionNames } from './function-names';
import { toMessages } from './messages';
import { type Connection, inCall } from './model-call';
import type { OpenAiProviderOptions } from './options';
import { askStructured } from './structured';
import { askForTools } from './tool-choice';
import type { LlmProvider } from '../provider';

const OPENAI_URL = 'https://api.openai.com/v1';

/** The provider of `createOpenAiProvider`, with the client of OpenAI, which takes a while to load. */
export function createLoadedProvider(options: OpenAiProviderOptions): LlmProvider {
  const { name, defaultModel, apiKey, maxAttempts, retryDelayMs = retryDelay } = options;
  const connection: Connection = {
    client: createClient({
      apiKey,
      baseUrl: options.baseUrl ?? OPENAI_URL,
      dispatcher: options.dispatcher,
    }),
    provider: name,
    apiKey,
    defaultModel,
    maxAttempts,
    retryDelayMs,
    // OpenAI's newer models refuse the old name; other servers often know only that one.
    limitName: name === 'hosted' ? 'max_completion_tokens' : 'max_tokens',
  };
  return {
    name,
    defaultModel,
    chat: (request, context) =>
      inCall(connection, request, context, async (call) => {
        const messages = toMessages(request.messages, createFunctionNames([]));
        const { onText } = context;
        const answer = await (onText === undefined ? call.ask(messages) : call.askAloud(messages, onText));
        const { provider, model } = call;
        const finishReason = answer.finishReason === 'length' ? 'length' : 'stop';
        return { provider, model, content: answer.content, finishReason, usage: call.usage() };
      }),
    structured: (request, context) =>
      inCall(connection, request, context, (call) => askStructured(call, request)),
    chooseTools: (request, context) =>
      inCall(connection, request, context, (call) => askForTools(call, request)),
  };
}
