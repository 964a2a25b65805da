import type { JsonSchema, ToolParameters } from '../contracts/http/tools';
import { isHoldfastError } from '../base/errors';
import { isJsonObject } from '../contracts/json';
import { normaliseParameters } from '../tools/parameters';

const MAX_DESCRIPTION = 2_000;
/** Keywords by which a schema accepts arguments that its properties do not name. */
const OPEN_KEYWORDS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'propertyNames'];

/**
 * Derives the parameters that planners see, and that requests are checked against, from the input schema of a remote
 * tool. A schema that parameters cannot express gives none, which accepts any arguments; the worker checks each call
 * against the schema itself. Pure.
 */
export function deriveParameters(schema: JsonSchema): ToolParameters {
  const { properties, additionalProperties = false } = schema;
  const isOpen =
    additionalProperties !== false || OPEN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
  if (isOpen || !isJsonObject(properties)) return {};
  try {
    return normaliseParameters({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, toProperty(property)]),
      ),
      required: schema['required'],
    });
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return {};
  }
}

const KNOWN_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
]);

/** Keeps of a property what a parameter has. */
function toProperty(property: unknown): object {
  const { type, description, enum: choices } = isJsonObject(property) ? property : {};
  const known = KNOWN_TYPES.has(type) ? type : 'any';
  const isChoice =
    type === 'string' &&
    Array.isArray(choices) &&
    choices.length <= 200 &&
    choices.every((choice) => typeof choice === 'string' && choice.length <= 200);
  return {
    type: known,
    ...(typeof description === 'string' ? { description: description.slice(0, MAX_DESCRIPTION) } : {}),
    ...(isChoice ? { enum: choices } : {}),
  };
}
