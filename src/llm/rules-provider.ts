import type {
  ChatMessage,
  ChatResult,
  Generated,
  GenerationOptions,
  ToolChoiceRequest,
  ToolChoiceResult,
  ToolRequest,
} from '../contracts/http/llm';
import { HoldfastError, messageOf } from '../base/errors';
import { checkedArguments } from '../tools/argument-problems';
import { catalogueForRules } from './rules-catalogue';
import type {
  CallContext,
  LlmProvider,
  SchemaChatRequest,
  StructuredRequest,
  StructuredResult,
  ToolChoiceContext,
} from './provider';
import type { SentenceRules } from './sentence-rules';
import { countTokens } from './token-count';

/** A word with the space before it. All of a text's pieces joined are the text. */
const PIECE = /\s*\S+\s*$|\s*\S+/gu;

const NAME = 'builtin';

/**
 * The provider that needs no model: rules plan tool calls and answer prompts from the text of the prompts. A text that
 * they cannot understand ends with `QUERY_NOT_UNDERSTOOD` or `MODEL_NOT_CONFIGURED`; they never guess.
 */
export function createRulesProvider(rules: SentenceRules): LlmProvider {
  async function chat(request: SchemaChatRequest, context: CallContext): Promise<ChatResult> {
    return withinLimits(request, context, () => {
      const { messages, maxTokens, schema } = request;
      const answer = schema === undefined ? rules.answerPrompt(messages) : undefined;
      if (answer === undefined) throw noModel();
      const { content, finishReason } = limitTokens(answer, maxTokens);
      return { content, finishReason, ...countTokensUsed(messages, content) };
    });
  }

  async function structured<T>(
    request: StructuredRequest<T>,
    context: CallContext,
  ): Promise<StructuredResult<T>> {
    return withinLimits(request, context, () => {
      const { value } = findFitting(rules, request);
      return { value, repaired: false, ...countTokensUsed(request.messages, JSON.stringify(value)) };
    });
  }

  async function chooseTools(
    request: ToolChoiceRequest,
    context: ToolChoiceContext,
  ): Promise<ToolChoiceResult> {
    const chosen = withinLimits(request, context, () => {
      const tools = catalogueForRules(request.tools, request.messages);
      return rules.chooseNext({ ...request, tools });
    });
    const { content } = chosen;
    const requests: ToolRequest[] = [];
    for (const call of chosen.requests) {
      const tool = request.tools.find(({ name }) => name === call.toolName);
      const args = tool && (await checkedArguments(context.check, tool, call.args, context.signal));
      requests.push(args === undefined ? call : { ...call, args });
    }
    const answerText = content + (requests.length > 0 ? JSON.stringify(requests) : '');
    return { content, requests, ...countTokensUsed(request.messages, answerText) };
  }

  return { name: NAME, defaultModel: NAME, chat, structured, chooseTools };
}

/** Checks the limits before and after `run`, because the rules take milliseconds and cannot be interrupted. */
function withinLimits<T>({ model }: GenerationOptions, { signal, timeoutMs }: CallContext, run: () => T): T {
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

function countTokensUsed(messages: readonly ChatMessage[], completion: string): Generated {
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

/** Finds JSON in the user's messages that fits the schema, in the last message first. Throws `MODEL_NOT_CONFIGURED`. */
function findFitting<T>(
  rules: SentenceRules,
  { messages, schema }: StructuredRequest<T>,
): { readonly value: T } {
  for (const { content, role } of [...messages].reverse()) {
    if (role !== 'user' || typeof content !== 'string') continue;
    for (const value of rules.findJsonValues(content)) {
      const parsed = schema.safeParse(value);
      if (parsed.success) return { value: parsed.data };
    }
  }
  throw noModel();
}

/** `MODEL_NOT_CONFIGURED` with the settings that would help. */
function noModel(): HoldfastError {
  const message =
    'No language model is configured, and without one this cannot be answered. Set OPENAI_API_KEY for a hosted model ' +
    'or LOCAL_LLM_BASE_URL for a local one.';
  return new HoldfastError('MODEL_NOT_CONFIGURED', message, {
    details: { settings: ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'] },
  });
}

/** The beginning of a text that has at most `maxTokens` tokens. */
function limitTokens(
  text: string,
  maxTokens: number | undefined,
): { readonly content: string; readonly finishReason: 'stop' | 'length' } {
  if (maxTokens === undefined || countTokens(text) <= maxTokens)
    return { content: text, finishReason: 'stop' };
  let content = '';
  let tokens = 0;
  for (const piece of text.match(PIECE) ?? [text]) {
    tokens += countTokens(piece);
    if (tokens > maxTokens) break;
    content += piece;
  }
  return { content, finishReason: 'length' };
}
