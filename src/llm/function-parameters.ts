import type { ToolParameter, ToolParameters } from '../contracts/http/tools';
import { HTTP_METHODS, METHOD_CHOICES } from '../tools/builtin/declarations';
import { toDefinition } from '../tools/parameters';

/** A JSON Schema of type `object`, the form in which function calling describes arguments. */
export interface FunctionParameters extends Readonly<Record<string, unknown>> {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
}

/**
 * Declared parameters as JSON Schema. A parameter that takes any value has no `type`; arrays take items of any kind.
 */
export function toFunctionParameters(parameters: ToolParameters): FunctionParameters {
  const { type, properties, required } = toDefinition({ name: '', description: '', parameters }).parameters;
  return {
    type,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toProperty(property)]),
    ),
    required,
  };
}

function toProperty({ type, ...declared }: Omit<ToolParameter, 'required'>): Record<string, unknown> {
  const { enum: choices } = declared;
  const rest = choices === undefined ? declared : { ...declared, enum: listOnce(choices) };
  if (type === 'any') return rest;
  // OpenAI refuses an array without `items`.
  return type === 'array' ? { type, items: {}, ...rest } : { type, ...rest };
}

/** Lists the methods of HTTP once, which callers may write in either letter case: a model needs one of them. */
function listOnce(choices: readonly string[]): readonly string[] {
  return choices.join() === METHOD_CHOICES.join() ? HTTP_METHODS : choices;
}
