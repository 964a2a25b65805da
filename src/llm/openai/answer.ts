import { z } from 'zod';
import type { TokenUsage } from '../../contracts/http/llm';
import { isJsonObject, type JsonObject } from '../../contracts/json';
import { toWellFormed } from '../../base/text/well-formed';
import { readUsage } from './usage';

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

/** The fields in which servers have the arguments of a call. */
const ARGUMENTS = ['arguments', 'args', 'parameters', 'input'] as const;

const functionSchema = z
  .looseObject({ name: z.string() })
  .transform((called) => ({ name: called.name, args: readArguments(called) }));

const toolCallSchema = z
  .object({
    id: z.union([z.string(), z.number()]).nullish().catch(undefined),
    extra_content: z.unknown().optional(),
  })
  .and(
    // Some servers send the fields of the function beside the id.
    z.union([z.object({ function: functionSchema }).transform((call) => call.function), functionSchema]),
  )
  .transform(({ id, extra_content: extra, name, args }) => ({ id: String(id ?? ''), name, args, extra }));

/** The schema has only the fields that are read, because servers differ in the rest. */
const completionSchema = z.object({
  choices: firstOf(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({
        content: contentSchema.nullish(),
        refusal: z.string().nullish(),
        reasoning_content: z.string().nullish().catch(undefined),
        reasoning: z.string().nullish().catch(undefined),
        reasoning_details: z.unknown().optional(),
        tool_calls: listOf(toolCallSchema).nullish(),
        function_call: functionSchema.nullish().catch(undefined),
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
  /** Empty if the server gave none. */
  readonly id: string;
  readonly name: string;
  readonly args: string | Readonly<Record<string, unknown>>;
  /** As in `ToolRequest`. */
  readonly extra?: unknown;
}

/** After `failed call` the content is what the model meant as a call, and the server could not read. */
export type FinishReason = 'stop' | 'length' | 'withheld' | 'failed' | 'failed call';

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
  /** As in `ToolChoiceResult`. */
  readonly extra?: JsonObject;
  /** Undefined if the server did not count. */
  readonly usage: TokenUsage | undefined;
}

/** One piece of a streamed answer. */
export interface Piece {
  readonly text: string;
  /** On the last piece of text. */
  readonly finishReason: FinishReason | undefined;
  readonly usage: TokenUsage | undefined;
}

/** Reads an answer; undefined if the body is not an answer of the chat API. */
export function readAnswer(body: unknown): Answer | undefined {
  const parsed = completionSchema.safeParse(body);
  if (!parsed.success) return undefined;
  const { choices: choice, usage } = parsed.data;
  const { content, refusal, reasoning_content: thoughts, tool_calls: calls } = choice.message;
  const { function_call: single, reasoning, reasoning_details: details } = choice.message;
  const extra = {
    ...(reasoning == null ? {} : { reasoning }),
    ...(details == null ? {} : { reasoning_details: details }),
  };
  const oldForm = single == null ? [] : [{ id: '', ...single }];
  return {
    content: toWellFormed(readText(content, refusal)),
    finishReason: readFinishReason(choice.finish_reason) ?? 'stop',
    calls: calls == null || calls.length === 0 ? oldForm : calls,
    thoughts: thoughts ?? undefined,
    extra: Object.keys(extra).length === 0 ? undefined : extra,
    usage: readUsage(usage),
  };
}

/** Reads a piece; undefined if the chunk is not a piece of a streamed answer. */
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

/** A model that declines says so in a separate field. */
function readText(content: string | null | undefined, refusal: string | null | undefined): string {
  return content == null || content === '' ? (refusal ?? '') : content;
}

function readFinishReason(reason: string | null | undefined): FinishReason | undefined {
  return reason == null || reason === '' ? undefined : (FINISH_REASONS.get(reason) ?? 'stop');
}

/** The specification says text; some servers send the object itself, or nothing for a call without arguments. */
function readArguments(called: JsonObject): CalledFunction['args'] {
  const field = ARGUMENTS.find((name) => called[name] != null);
  const value = field === undefined ? '' : called[field];
  return typeof value === 'string' || isJsonObject(value) ? value : JSON.stringify(value);
}
