import { z } from 'zod';
import type { ToolParameters } from './tools';

export const PROVIDERS = ['hosted', 'local', 'builtin'] as const;
/** `hosted`: OpenAI. `local`: any server that speaks its API. `builtin`: rules, no model at all. */
export type ProviderName = (typeof PROVIDERS)[number];

export const tokenUsageSchema = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  totalTokens: z.number(),
});
export type TokenUsage = Readonly<z.infer<typeof tokenUsageSchema>>;

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
}

/** A tool call that a model asked for. */
export interface ToolRequest {
  /** Ties the result to the request; unique within a conversation. */
  readonly id: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolRequests?: readonly ToolRequest[] }
  | {
      readonly role: 'tool';
      readonly requestId: string;
      /** The tool's output, or its error where it failed. */
      readonly content: unknown;
      readonly failed?: boolean;
    };

/** How text is generated; what is left out is the provider's default. */
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
}

/** What every answer of a model tells about itself. */
export interface Generated {
  readonly provider: ProviderName;
  readonly model: string;
  readonly usage: TokenUsage;
}

export interface ChatResult extends Generated {
  readonly content: string;
  /** `length`: cut off at `maxTokens`. */
  readonly finishReason: 'stop' | 'length';
}

export interface ToolChoiceResult extends Generated {
  /** What the model says; with no requests, its final answer. */
  readonly content: string;
  /** In the order in which they are to be run; their names are known ones and their arguments valid. */
  readonly requests: readonly ToolRequest[];
  /** Only where `content` was cut off at `maxTokens`. */
  readonly finishReason?: 'length';
}
