/*
 * What the package is given and what it gives back, as plain data. A caller's own types fit if they have the same fields, so
 * that neither side imports the other's.
 */

export type ParameterType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'any';

/** One declared parameter of a tool. */
export interface ToolParameter {
  readonly type: ParameterType;
  readonly description: string;
  /** The only texts allowed. */
  readonly enum?: string[] | undefined;
  readonly required: boolean;
}

export type ToolParameters = Readonly<Record<string, ToolParameter>>;

/** A tool that a sentence may ask for. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
}

/** A tool call that a sentence asks for. */
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
      /** The tool's output, or its error if it failed. */
      readonly content: unknown;
      readonly failed?: boolean;
    };

/** A conversation for which the next call is to be chosen. */
export interface ToolChoiceRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  /** `required`: at least one tool must be chosen. */
  readonly choice: 'auto' | 'required';
}
