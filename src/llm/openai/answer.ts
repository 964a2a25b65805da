import { z } from 'zod';
import type { TokenUsage } from '../../contracts/http/llm';
import { countTokens } from '../token-count';
import type { Message } from './messages';

const tokens = z.int().nonnegative();

const usageSchema = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens.nullish().catch(undefined),
  prompt_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
});

/** More than any list of an answer has. */
const MAX_ITEMS = 1_000;

/** A list of limited length. In a longer one each wrong item would be described, in more memory than a process has. */
function listOf<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (list) => (Array.isArray(list) && list.length > MAX_ITEMS ? undefined : list),
    z.array(item),
  );
}

/** The first item of a list. The others are not looked at. */
function firstOf<T extends z.ZodType>(item: T) {
  return z.preprocess((list) => (Array.isArray(list) ? (list[0] as unknown) : undefined), item);
}

const partSchema = z.object({ type: z.string().nullish(), text: z.string().nullish() });

/** A text, or a list of parts: some servers have a model's thoughts in parts of other types. */
const contentSchema = z.union([
  z.string(),
  listOf(partSchema).transform((parts) =>
    parts.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
  ),
]);

const toolCallSchema = z.object({
  id: z.string().nullish(),
  function: z.object({
    name: z.string(),
    // The specification says text; some servers send the object itself.
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
  extra_content: z.unknown().optional(),
});

/** The schema has only the fields that are read, because servers differ in the rest. */
const completionSchema = z.object({
  choices: firstOf(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({
        content: contentSchema.nullish(),
        refusal: z.string().nullish(),
        reasoning_content: z.string().nullish().catch(undefined),
        tool_calls: listOf(toolCallSchema).nullish(),
      }),
    }),
  ),
  usage: z.unknown().optional(),
});

const chunkSchema = z.object({
  choices: firstOf(
    z
      .object({
        finish_reason: z.string().nullish(),
        delta: z.object({ content: contentSchema.nullish(), refusal: z.string().nullish() }).nullish(),
      })
      .optional(),
  ),
  usage: z.unknown().optional(),
});

export interface CalledFunction {
  /** Empty where the server gave none. */
  readonly id: string;
  readonly name: string;
  readonly args: string | Readonly<Record<string, unknown>>;
  /** As in `ToolRequest`. */
  readonly extra?: unknown;
}

export type FinishReason = 'stop' | 'length' | 'withheld' | 'failed';

/** Why answers end, as servers say it; any other reason is `stop`. The server or the model behind it failed after an `error`. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'withheld'],
  ['error', 'failed'],
  ['abort', 'failed'],
  ['network_error', 'failed'],
  ['insufficient_system_resource', 'failed'],
]);

/** One answer of the chat API. */
export interface Answer {
  readonly content: string;
  readonly finishReason: FinishReason;
  readonly calls: readonly CalledFunction[];
  /** As in `ToolChoiceResult`. */
  readonly thoughts?: string;
  /** Undefined where the server did not count. */
  readonly usage: TokenUsage | undefined;
}

/** One piece of a streamed answer. */
export interface Piece {
  readonly text: string;
  /** On the last piece of text. */
  readonly finishReason: FinishReason | undefined;
  readonly usage: TokenUsage | undefined;
}

/** Reads an answer; undefined where the body is not an answer of the chat API. */
export function readAnswer(body: unknown): Answer | undefined {
  const parsed = completionSchema.safeParse(body);
  if (!parsed.success) return undefined;
  const { choices: choice, usage } = parsed.data;
  const { content, refusal, reasoning_content: thoughts, tool_calls: calls } = choice.message;
  return {
    content: readText(content, refusal),
    finishReason: readFinishReason(choice.finish_reason) ?? 'stop',
    calls: (calls ?? []).map(({ id, function: called, extra_content: extra }) => ({
      id: id ?? '',
      name: called.name,
      args: called.arguments ?? '',
      extra,
    })),
    ...(thoughts == null ? {} : { thoughts }),
    usage: readUsage(usage),
  };
}

/** Reads a piece; undefined where the chunk is not a piece of a streamed answer. */
export function readPiece(chunk: unknown): Piece | undefined {
  const parsed = chunkSchema.safeParse(chunk);
  if (!parsed.success) return undefined;
  const { choices: choice } = parsed.data;
  return {
    text: readText(choice?.delta?.content, choice?.delta?.refusal),
    finishReason: readFinishReason(choice?.finish_reason),
    usage: readUsage(parsed.data.usage),
  };
}

const THOUGHTS = { begin: '<think>', end: '</think>' };

/** Leaves out the thoughts with which the text of an answer begins at some servers; where they were cut off, nothing is left. */
export function withoutThoughts(content: string): string {
  if (!content.trimStart().startsWith(THOUGHTS.begin)) return content;
  const end = content.indexOf(THOUGHTS.end);
  return end === -1 ? '' : content.slice(end + THOUGHTS.end.length).trimStart();
}

/** Counts the tokens of a request and its answer, where the server did not. `tools` are those that were offered. */
export function countUsage(
  messages: readonly Message[],
  answer: Pick<Answer, 'content' | 'calls'>,
  tools: readonly object[] = [],
): TokenUsage {
  const offered = tools.length === 0 ? 0 : countTokens(JSON.stringify(tools));
  const promptTokens = messages.reduce((sum, message) => sum + countTokens(textsOf(message)), offered);
  const calls = answer.calls.map(({ name, args }) => `${name} ${asText(args)}`).join('\n');
  const completionTokens = countTokens(answer.content) + countTokens(calls);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

/** A model that declines says so in a separate field. */
function readText(content: string | null | undefined, refusal: string | null | undefined): string {
  return content == null || content === '' ? (refusal ?? '') : content;
}

function readFinishReason(reason: string | null | undefined): FinishReason | undefined {
  return reason == null || reason === '' ? undefined : (FINISH_REASONS.get(reason) ?? 'stop');
}

/** Servers that do not count send nothing, zeros or negative numbers. */
function readUsage(raw: unknown): TokenUsage | undefined {
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
    ...(cachedTokens == null ? {} : { cachedTokens: Math.min(cachedTokens, promptTokens) }),
    ...(reasoningTokens == null ? {} : { reasoningTokens }),
  };
}

function textsOf(message: Message): string {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const said = typeof message.content === 'string' ? message.content : '';
  return calls.length === 0 ? said : `${said} ${JSON.stringify(calls)}`;
}

function asText(args: CalledFunction['args']): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
