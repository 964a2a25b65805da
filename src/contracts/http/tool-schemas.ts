import { PARAMETER_TYPES, type JsonSchema, type ToolParameter, type ToolParameters } from './tools';
import { isJsonObject, type JsonObject } from '../json';
import { cutText } from '../../base/text/well-formed';

/** The schema that a call or a question carries. Those of earlier builds have `parameters` in its place. */
export interface CarriedSchema {
  readonly inputSchema?: JsonSchema;
  readonly parameters?: ToolParameters;
}

/** How much of a schema the view has. Rules compare each parameter and choice with a sentence. */
const MAX_PARAMETERS = 64;
const MAX_DESCRIPTION = 2_000;
const MAX_CHOICES = 1_000;
const MAX_CHOICE = 200;

/** Keywords of a root that accept arguments besides its properties, or that may do so by another schema. */
const OPENING = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'dependencies',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
];

/**
 * Views the properties of a schema as parameters by name, for rules, lists and errors: the first 64, with what they may be as far
 * as one type name and a list of texts say it. The check of a call reads the schema itself. Pure.
 */
export function parametersOf({ properties, required }: JsonSchema): ToolParameters {
  if (!isJsonObject(properties)) return {};
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.fromEntries(
    Object.entries(properties)
      .slice(0, MAX_PARAMETERS)
      .map(([name, property]) => [name, toParameter(property, needed.has(name))]),
  );
}

function toParameter(property: unknown, required: boolean): ToolParameter {
  const { type, description, enum: listed } = isJsonObject(property) ? property : ({} as JsonObject);
  const choices = isListOfTexts(listed) ? listed : undefined;
  const isText = choices !== undefined && (type === undefined || type === 'string');
  return {
    type: isText ? 'string' : isTypeName(type) ? type : 'any',
    description: typeof description === 'string' ? cutText(description, MAX_DESCRIPTION) : '',
    ...(isText ? { enum: choices } : {}),
    required,
  };
}

function isTypeName(type: unknown): type is ToolParameter['type'] {
  return (PARAMETER_TYPES as readonly unknown[]).includes(type);
}

function isListOfTexts(list: unknown): list is string[] {
  return (
    Array.isArray(list) &&
    list.length > 0 &&
    list.length <= MAX_CHOICES &&
    list.every((item) => typeof item === 'string' && item.length <= MAX_CHOICE)
  );
}

/** Writes declared parameters as JSON Schema. Arrays have `items`, without which OpenAI refuses them. Pure. */
export function toInputSchema(parameters: ToolParameters): JsonSchema {
  const entries = Object.entries(parameters);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { type, required: _, ...rest }]) => [
        name,
        { ...(type === 'any' ? {} : { type }), ...(type === 'array' ? { items: {} } : {}), ...rest },
      ]),
    ),
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
  };
}

/** Reads the schema of a call, a question or a tool, in the form of earlier builds too; undefined if it has none. Pure. */
export function schemaOf({ inputSchema, parameters }: CarriedSchema): JsonSchema | undefined {
  return inputSchema ?? (parameters && toInputSchema(parameters));
}

/** Takes the schema out of what carries one, for what is built of it. Pure. */
export function carriedSchema({ inputSchema, parameters }: CarriedSchema): CarriedSchema {
  if (inputSchema !== undefined) return { inputSchema };
  return parameters === undefined ? {} : { parameters };
}

/** Adds to a schema that it describes an object, if it does not say so, as MCP wants it. Pure. */
export function withObjectType(schema: JsonSchema): JsonSchema {
  return schema['type'] === 'object' ? schema : { ...schema, type: 'object' };
}

/** Adds to a schema what function calling wants at its root: that it describes an object, and its properties. Pure. */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  const typed = withObjectType(schema);
  return typed['properties'] === undefined ? { ...typed, properties: {} } : typed;
}

/**
 * Closes a schema at its root, because an argument that it does not name is usually a misspelt one. A root that names no property,
 * that says itself what else it takes, or that combines schemas stays as it is. Pure.
 */
export function closedAtRoot(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  const isNamed = isJsonObject(properties) && Object.keys(properties).length > 0;
  return isNamed && !saysWhatElse(schema) ? { ...schema, additionalProperties: false } : schema;
}

/** Whether a schema says at its root which arguments it takes besides its properties, or combines schemas that may. Pure. */
export function saysWhatElse(schema: JsonSchema): boolean {
  return OPENING.some((keyword) => Object.hasOwn(schema, keyword));
}
