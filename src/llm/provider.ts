import type { z } from 'zod';
import type {
  ChatRequest,
  ChatResult,
  Generated,
  ProviderName,
  ToolChoiceRequest,
  ToolChoiceResult,
} from '../contracts/http/llm';
import type { JsonSchema } from '../contracts/http/tools';
import type { Prompt } from './prompt-tokens';
import type { ArgumentCheck } from '../tools/argument-check';

/** Bounds one call of a provider, its retries and its repair included. */
export interface CallContext {
  /** Ends the call when it aborts. */
  readonly signal: AbortSignal;
  /** Milliseconds the whole call may take, from when it is sent. */
  readonly timeoutMs: number;
  /** Milliseconds it may wait for a place among the calls to its provider before that. Default `timeoutMs`. */
  readonly maxWaitMs?: number | undefined;
}

/** A JSON Schema of a caller that an answer has to fit, and the check by it. */
export interface AnswerSchema {
  readonly document: JsonSchema;
  /** @returns what the schema refuses; undefined if the value fits. @throws the reason of the signal */
  findProblem(value: unknown, signal: AbortSignal): Promise<string | undefined>;
}

export interface SchemaChatRequest extends ChatRequest {
  /** Absent: the answer is any text. */
  readonly schema?: AnswerSchema | undefined;
}

/** Bounds a choice of tools, and checks the arguments of the calls that are chosen. */
export interface ToolChoiceContext extends CallContext {
  readonly check: ArgumentCheck;
}

export interface StructuredRequest<T> extends ChatRequest {
  /** The schema that the answer has to fit. It is also sent to the model, as JSON Schema. */
  readonly schema: z.ZodType<T>;
  /** Names the schema to the model: letters, digits, `_`. */
  readonly schemaName: string;
}

export interface StructuredResult<T> extends Generated {
  readonly value: T;
  /** Whether the first answer did not fit, so that the model was asked again. */
  readonly repaired: boolean;
}

/** Hears all text so far. */
export type OnText = (soFar: string) => void;

/** Bounds a call for text, and hears it. */
export interface ChatContext extends CallContext {
  /**
   * Called with all text so far, whenever some arrives, in steps that grow with the text; absent, the text is asked for as
   * a whole. Text that broke off is asked for once more without being reported, so the result may be another text.
   */
  readonly onText?: OnText | undefined;
}

/**
 * A source of generated text. All methods throw HoldfastError:
 * - `MODEL_NOT_CONFIGURED` no model is configured that could answer this;
 * - `MODEL_UNKNOWN` the provider does not have the requested model;
 * - `MODEL_UNAVAILABLE` the provider cannot be reached, refuses the key, is overloaded or fails, after the retries;
 *   `retryable` if another try later may succeed;
 * - `MODEL_TIMEOUT` the call took longer than `timeoutMs`, or was not sent within `maxWaitMs` (`NotSentError`);
 * - `MODEL_OUTPUT_INVALID` the answer does not fit the request, even after one repair;
 * - `MODEL_LOOP` the model calls of services lead back to themselves;
 * - `MODEL_INPUT_UNSUPPORTED` the model does not take a kind of file that a message has, or not as much text of files;
 * - `QUERY_NOT_UNDERSTOOD` (builtin) the text does not say what is needed; details `{ field, message }`.
 * An abort by `signal` rejects with the signal's reason.
 */
export interface LlmProvider {
  readonly name: ProviderName;
  readonly defaultModel: string;
  /** A text or, by a schema, JSON text whose value fits it; such an answer is not reported while it is made. */
  chat(request: SchemaChatRequest, context: ChatContext): Promise<ChatResult>;
  /** A value that fits the schema. */
  structured<T>(request: StructuredRequest<T>, context: CallContext): Promise<StructuredResult<T>>;
  /** Which tools to call next, or the final answer. */
  chooseTools(request: ToolChoiceRequest, context: ToolChoiceContext): Promise<ToolChoiceResult>;
  /** Estimates the tokens of a prompt, with a margin. Absent if nothing is known of the provider's models. */
  readonly estimatePrompt?: (prompt: Prompt) => number;
  /**
   * How many tokens of prompt and answer together a model reads; undefined if that is not known.
   * @param model default: the default model
   */
  readonly contextTokens?: (model?: string) => Promise<number | undefined>;
  /**
   * Runs work with several calls of a model in one place among the calls to the provider, as soon as that is free. Absent if
   * calls wait for none.
   * @param work is given the provider, whose calls wait for no further place
   * @throws what `work` throws; `NotSentError`; the signal's reason
   */
  readonly inPlace?: <T>(wait: PlaceWait, work: (provider: LlmProvider) => Promise<T>) => Promise<T>;
}

/** Bounds the wait for a place among the calls to a provider. */
export interface PlaceWait extends CallContext {
  readonly model: string | undefined;
}

/** Runs work in a place among the calls to a provider, or at once if there are no places. @throws as `inPlace` does */
export function runInPlace<T>(
  provider: LlmProvider,
  wait: PlaceWait,
  work: (provider: LlmProvider) => Promise<T>,
): Promise<T> {
  return provider.inPlace === undefined ? work(provider) : provider.inPlace(wait, work);
}
