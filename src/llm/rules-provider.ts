import type {
  ChatMessage,
  ChatRequest,
  ChatResult,
  Generated,
  GenerationOptions,
  ToolChoiceRequest,
  ToolChoiceResult,
} from '../contracts/llm';
import { HoldfastError, messageOf } from '../errors';
import type { CallContext, ChatEvent, LlmProvider, StructuredRequest, StructuredResult } from './provider';
import { countTokens } from './token-count';
import { answer, noModel } from '../../packages/plain-english/src/prompts/answer';
import { limitTokens, toPieces } from './limit-tokens';
import { chooseNext } from '../../packages/plain-english/src/plan/choose-tools';
import { tokenize } from '../../packages/plain-english/src/text/tokenizer';

const NAME = 'builtin';

/**
 * The provider that needs no model: it plans tool calls by rules, and answers prompts from their own text. What it cannot
 * understand it says, by `QUERY_NOT_UNDERSTOOD` or `MODEL_NOT_CONFIGURED`; it never guesses.
 */
export function createBuiltinProvider(): LlmProvider {
  return { name: NAME, defaultModel: NAME, chat, structured, chooseTools, stream };
}

async function chat(request: ChatRequest, context: CallContext): Promise<ChatResult> {
  return bounded(request, context, () => chatNow(request));
}

async function structured<T>(
  request: StructuredRequest<T>,
  context: CallContext,
): Promise<StructuredResult<T>> {
  return bounded(request, context, () => {
    const found = findFitting(request);
    return {
      value: found.value,
      repaired: false,
      ...generated(request.messages, JSON.stringify(found.value)),
    };
  });
}

async function chooseTools(request: ToolChoiceRequest, context: CallContext): Promise<ToolChoiceResult> {
  return bounded(request, context, () => {
    const { content, requests } = chooseNext(request);
    return {
      content,
      requests,
      ...generated(request.messages, content + (requests.length > 0 ? JSON.stringify(requests) : '')),
    };
  });
}

async function* stream(request: ChatRequest, context: CallContext): AsyncIterable<ChatEvent> {
  const result = await chat(request, context);
  for (const text of toPieces(result.content)) {
    context.signal.throwIfAborted();
    yield { type: 'token', text };
  }
  yield { type: 'end', result };
}

function chatNow({ messages, maxTokens }: ChatRequest): ChatResult {
  const { content, finishReason } = limitTokens(answer(messages), maxTokens);
  return { content, finishReason, ...generated(messages, content) };
}

/** The rules take milliseconds and cannot be interrupted, so the limits are looked at before and after. */
function bounded<T>({ model }: GenerationOptions, { signal, timeoutMs }: CallContext, run: () => T): T {
  signal.throwIfAborted();
  if (model !== undefined && model !== NAME) {
    throw new HoldfastError(
      'MODEL_UNKNOWN',
      `The built-in provider has no model ${JSON.stringify(model.slice(0, 64))}.`,
      {
        details: { field: 'model', message: `must be ${NAME}` },
      },
    );
  }
  const start = performance.now();
  const result = run();
  if (performance.now() - start > timeoutMs) {
    throw new HoldfastError('MODEL_TIMEOUT', `The built-in provider took longer than ${timeoutMs} ms.`);
  }
  return result;
}

function generated(messages: readonly ChatMessage[], completion: string): Generated {
  const promptTokens = messages.reduce((sum, message) => sum + countTokens(contentOf(message)), 0);
  const completionTokens = countTokens(completion);
  const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  return { provider: NAME, model: NAME, usage };
}

function contentOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  try {
    return content === undefined ? '' : JSON.stringify(content);
  } catch (error) {
    return messageOf(error);
  }
}

/** JSON in the prompt that fits the schema, the last message first. */
function findFitting<T>({ messages, schema }: StructuredRequest<T>): { readonly value: T } {
  for (const { content, role } of [...messages].reverse()) {
    if (role !== 'user' || typeof content !== 'string') continue;
    for (const { kind, value } of tokenize(content).tokens) {
      if (kind !== 'json') continue;
      const parsed = schema.safeParse(value);
      if (parsed.success) return { value: parsed.data };
    }
  }
  throw noModel();
}
