import type { z } from 'zod';
import type {
  ChatRequest,
  ChatResult,
  Generated,
  ProviderName,
  ToolChoiceRequest,
  ToolChoiceResult,
} from '../contracts/http/llm';
import type { ArgumentCheck } from '../tools/argument-check';

/** Bounds one call of a provider, its retries and its repair included. */
export interface CallContext {
  /** Ends the call when it aborts. */
  readonly signal: AbortSignal;
  /** Milliseconds the whole call may take. */
  readonly timeoutMs: number;
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
 *   `retryable` where another try later may succeed;
 * - `MODEL_TIMEOUT` the call took longer than `timeoutMs`;
 * - `MODEL_OUTPUT_INVALID` the answer does not fit the request, even after one repair;
 * - `QUERY_NOT_UNDERSTOOD` (builtin) the text does not say what is needed; details `{ field, message }`.
 * An abort by `signal` rejects with the signal's reason.
 */
export interface LlmProvider {
  readonly name: ProviderName;
  readonly defaultModel: string;
  chat(request: ChatRequest, context: ChatContext): Promise<ChatResult>;
  /** A value that fits the schema. */
  structured<T>(request: StructuredRequest<T>, context: CallContext): Promise<StructuredResult<T>>;
  /** Which tools to call next, or the final answer. */
  chooseTools(request: ToolChoiceRequest, context: ToolChoiceContext): Promise<ToolChoiceResult>;
}
