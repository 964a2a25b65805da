import { z } from 'zod';
import type { JsonObject } from '../json';
import type { TurnFile } from './files';
import type { JsonSchema, ToolAnnotations } from './tools';

export const PROVIDERS = ['hosted', 'local', 'builtin'] as const;
/** `hosted`: OpenAI. `local`: any server with OpenAI's API. `builtin`: rules without a model. */
export type ProviderName = (typeof PROVIDERS)[number];

export const tokenUsageSchema = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  totalTokens: z.number(),
  cachedTokens: z
    .number()
    .optional()
    .describe('The part of `promptTokens` that the provider had cached, if it says so'),
  reasoningTokens: z
    .number()
    .optional()
    .describe('The part of `completionTokens` that a model thought and did not say, if the provider says so'),
});
export type TokenUsage = Readonly<z.infer<typeof tokenUsageSchema>>;

/** Why a text of a model ended, if that was not by itself. */
export const finishReasonSchema = z
  .literal('length')
  .describe('The text was cut off at the maximum number of tokens');

/** A tool as it is described to a model. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** As in `StoredTool`; models do not get these. */
  readonly outputSchema?: JsonSchema;
  readonly requiresApproval?: boolean;
  readonly annotations?: ToolAnnotations;
  /** Present and true if planned calls wait for a person, unless the request allows the tool. */
  readonly plannedApproval?: boolean;
}

/** A tool call that a model asked for. */
export interface ToolRequest {
  /** Connects the result with the request; unique within a transcript. */
  readonly id: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the server sent with the call and wants back with it, such as a signature of the model's thoughts. */
  readonly extra?: unknown;
}

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: string;
      /** Stand before the content; absent: none. */
      readonly files?: readonly TurnFile[] | undefined;
    }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolRequests?: readonly ToolRequest[];
      /** As in `ToolChoiceResult`. */
      readonly thoughts?: string;
      /** As in `ToolChoiceResult`. */
      readonly extra?: JsonObject;
    }
  | {
      readonly role: 'tool';
      readonly requestId: string;
      /** The tool's output, or its error if it failed. */
      readonly content: unknown;
      readonly failed?: boolean;
    };

/** Options of text generation. An absent one has the provider's default. */
export interface GenerationOptions {
  /** A model's name, or a provider's name for that provider's default model. */
  readonly model?: string;
  /** 0 to 1 */
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Nucleus sampling, 0 to 1. */
  readonly topP?: number;
}

export interface ChatRequest extends GenerationOptions {
  readonly messages: readonly ChatMessage[];
}

export interface ToolChoiceRequest extends ChatRequest {
  readonly tools: readonly ToolDescription[];
  /** `required`: at least one tool must be chosen. */
  readonly choice: 'auto' | 'required';
  /**
   * Tokens after which an answer is taken for one without an end. If the calls themselves were cut off there by the
   * thoughts before them, the model is asked once more with room for these. `maxTokens` is never exceeded.
   */
  readonly usualTokens?: number;
}

/** The part that every response of a provider has: who answered, and the tokens used. */
export interface Generated {
  readonly provider: ProviderName;
  readonly model: string;
  readonly usage: TokenUsage;
}

export interface ChatResult extends Generated {
  readonly content: string;
  /** The value of `content`; present if the answer was asked for by a schema. */
  readonly value?: unknown;
  /** `length`: cut off at `maxTokens`. */
  readonly finishReason: 'stop' | 'length';
}

export interface ToolChoiceResult extends Generated {
  /** The model's text; without requests it is the final answer. */
  readonly content: string;
  /**
   * The tool calls in the order in which to run them. Their names are of offered tools, and their arguments are valid.
   */
  readonly requests: readonly ToolRequest[];
  /** What the model thought before it made the requests, if the server says so. Some servers want it back with them. */
  readonly thoughts?: string;
  /**
   * What else the server sent beside the requests and wants back with them, by its names: `reasoning` and
   * `reasoning_details`.
   */
  readonly extra?: JsonObject;
  /** Present only if `content` was cut off at `maxTokens`. */
  readonly finishReason?: 'length';
}
