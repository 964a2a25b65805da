import { z } from 'zod';
import type { TokenUsage } from '../../contracts/http/llm';
import { countTokens } from '../token-count';
import { TOKENS_AN_IMAGE } from '../prompt-tokens';
import { imagesIn, type Message, textOfContent } from './messages';

const tokens = z.int().nonnegative();

const usageSchema = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens.nullish().catch(undefined),
  prompt_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
});

/** Reads what a server counted. Servers that do not count send nothing, zeros or negative numbers. Pure. */
export function readUsage(raw: unknown): TokenUsage | undefined {
  const { data } = usageSchema.safeParse(raw);
  if (data === undefined || data.prompt_tokens + data.completion_tokens === 0) return undefined;
  const { prompt_tokens: promptTokens, total_tokens: total } = data;
  // Some servers count what a model thought in the total alone.
  const completionTokens = Math.max(data.completion_tokens, (total ?? 0) - promptTokens);
  const cachedTokens = data.prompt_tokens_details?.cached_tokens;
  const reasoningTokens = data.completion_tokens_details?.reasoning_tokens;
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cachedTokens: cachedTokens == null ? undefined : Math.min(cachedTokens, promptTokens),
    reasoningTokens: reasoningTokens ?? undefined,
  };
}

/** What a model said and called. */
interface Said {
  readonly content: string;
  readonly calls: readonly { readonly name: string; readonly args: string | object }[];
}

/** Counts the tokens of a request and its answer, if the server did not. `tools` are those that were offered. */
export function countUsage(
  messages: readonly Message[],
  answer: Said,
  tools: readonly object[] = [],
): TokenUsage {
  const promptTokens = countPrompt(messages) + countTools(tools);
  const calls = answer.calls.map(({ name, args }) => `${name} ${asText(args)}`).join('\n');
  const completionTokens = countTokens(answer.content) + countTokens(calls);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

/** A prompt is compared with the count of its tools if these have at least this number of tokens. */
const MIN_COMPARED = 200;
/** Of the messages, by the service's own count. A server that reports less does not count them. */
const MIN_SHARE = 0.8;

/**
 * Whether the tokens that a server counted show that its chat template left out the tools, so that the model does not
 * know of them. It is decided only if the tools are more than half of the prompt, since the service's own count may
 * be wrong by half, and not for a server whose count does not even contain the messages. Pure.
 */
export function showsDroppedTools(
  usage: TokenUsage | undefined,
  messages: readonly Message[],
  tools: readonly object[],
): boolean {
  if (usage === undefined) return false;
  const countedTokens = countPrompt(messages);
  const offered = countTools(tools);
  if (offered < MIN_COMPARED || offered < countedTokens) return false;
  return usage.promptTokens >= countedTokens * MIN_SHARE && usage.promptTokens < countedTokens + offered / 4;
}

function countPrompt(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) => sum + countTokens(textsOf(message)) + imagesIn(message.content) * TOKENS_AN_IMAGE,
    0,
  );
}

function countTools(tools: readonly object[]): number {
  return tools.length === 0 ? 0 : countTokens(JSON.stringify(tools));
}

function textsOf(message: Message): string {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const text = textOfContent(message.content);
  return calls.length === 0 ? text : `${text} ${JSON.stringify(calls)}`;
}

function asText(args: string | object): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
