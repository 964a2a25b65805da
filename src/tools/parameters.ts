import { z } from 'zod';
import { PARAMETER_TYPES, type JsonSchema, type ToolParameter } from '../contracts/http/tools';
import { isJsonObject, type JsonObject } from '../contracts/json';
import { asObjectSchema, parametersOf, toInputSchema } from '../contracts/http/tool-schemas';
import { validationError } from '../base/errors';
import { describeExcess, findExcess } from '../base/json/bounds';

/** A tool as `GET /api/tools/definitions` shows it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject & {
    readonly type: 'object';
    readonly properties: JsonObject;
    readonly required: readonly string[];
  };
}

/** The maximum length of one schema, characters of JSON, and what it may be made of. */
const MAX_SCHEMA_LENGTH = 65_536;
const SCHEMA_BOUNDS = { levels: 64, values: 16_384 };
/** Maximum number of parameters of a name map. */
export const MAX_PARAMETERS = 64;
export const MAX_NAME = 256;
/** Names that would reach an object's prototype in code that assigns by name. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const TYPE_LIST = PARAMETER_TYPES.join(', ');

const declarationSchema = z.strictObject({
  type: z.enum(PARAMETER_TYPES),
  description: z.string().max(2_000).default(''),
  enum: z.array(z.string().max(200)).min(1).max(200).optional(),
  default: z.json().optional(),
  required: z.boolean().optional(),
});

/** Keywords that no parameter is called after. A document with one is a schema, unless it has a type name there. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$ref', '$defs', '$dynamicRef', '$comment'],
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
  ...['allOf', 'anyOf', 'oneOf'],
]);

/**
 * Reads the `parameters` of a registration: a JSON Schema, which is kept as it is, or a name map, which is a short way to write
 * one. A name map has for each parameter a type name or `{ type, description?, enum?, default?, required? }`, and nothing else, so a
 * map may have parameters called `type` and `properties`. `{ "type": "object" }` alone is a schema, and so is what has a keyword that
 * no parameter is called after, such as `additionalProperties`. A parameter of a map is required unless it has a default or says
 * `required: false`. Whether a schema can be used, its compilation decides.
 * @param field the place in the request, as in `parameters`
 * @throws HoldfastError `VALIDATION` with a field such as `parameters.city.type`, for a schema of more than 65,536 characters, 16,384
 * values or 64 levels too
 */
export function readInputSchema(raw: unknown, field = 'parameters'): JsonSchema {
  if (raw === undefined) return toInputSchema({});
  if (!isJsonObject(raw)) throw validationError(field, `must be an object, got ${typeWord(raw)}`);
  checkSize(raw, field);
  if (isSchema(raw)) return readSchema(raw, field);
  const names = Object.keys(raw);
  if (names.length > MAX_PARAMETERS) {
    throw validationError(field, `must have at most ${MAX_PARAMETERS} parameters, got ${names.length}`);
  }
  for (const name of names) if (UNSAFE_NAMES.has(name)) throw unsafeName(`${field}.${name}`);
  return readNameMap(raw, field);
}

/**
 * Reads the inputs of a workflow: a JSON Schema, which says that its type is `object`, or a name map, in which the type may be left
 * out. Those that are stored already may be of any size.
 * @throws HoldfastError `VALIDATION` for the first declaration that cannot be read
 */
export function readInputs(raw: JsonObject, field = 'inputs'): JsonSchema {
  return raw['type'] === 'object' ? readSchema(raw, field) : readNameMap(raw, field, 'any');
}

/** Parameter name to type name, as `GET /api/tools` shows parameters. */
export function toTypeNames(schema: JsonSchema): Record<string, string> {
  return Object.fromEntries(Object.entries(parametersOf(schema)).map(([name, { type }]) => [name, type]));
}

/**
 * The function-calling form of a tool: its schema, with the fields beside it that the contract of the API has at its root and in
 * its properties. A property that takes any value has the type `any`.
 */
export function toDefinition(tool: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}): ToolDefinition {
  const { name, description, inputSchema } = tool;
  const { properties, required = [], ...rest } = asObjectSchema(inputSchema);
  const shown = Object.entries((properties ?? {}) as JsonObject).map(([key, property]) => [
    key,
    toDefinedProperty(property),
  ]);
  return {
    name,
    description,
    parameters: {
      ...rest,
      type: 'object',
      properties: Object.fromEntries(shown) as JsonObject,
      required: required as readonly string[],
    },
  };
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

function toDefinedProperty(property: unknown): JsonObject {
  if (!isJsonObject(property)) return { type: 'any', description: '' };
  const takesAny = Object.keys(property).every((keyword) => ANNOTATIONS.has(keyword));
  return { ...(takesAny ? { type: 'any' } : {}), description: '', ...property };
}

/** The type of a JSON value in one word. */
function typeWord(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** @throws HoldfastError `VALIDATION` for a schema of more than 65,536 characters, 16,384 values or 64 levels */
export function checkSize(raw: JsonObject, field: string): void {
  const excess = findExcess(raw, SCHEMA_BOUNDS);
  if (excess !== undefined) throw validationError(field, `is ${describeExcess(excess, SCHEMA_BOUNDS)}`);
  const { length } = JSON.stringify(raw);
  if (length > MAX_SCHEMA_LENGTH)
    throw validationError(field, `has ${length} characters of JSON; at most ${MAX_SCHEMA_LENGTH} are kept`);
}

function isSchema(raw: JsonObject): boolean {
  const entries = Object.entries(raw);
  if (entries.some(([name, value]) => KEYWORDS.has(name) && !isTypeName(value))) return true;
  const isMap = entries.every(([, value]) => isDeclaration(value));
  if (isMap && !(entries.length === 1 && raw['type'] === 'object')) return false;
  return raw['type'] === 'object' || isJsonObject(raw['properties']) || Array.isArray(raw['required']);
}

function isTypeName(value: unknown): boolean {
  return (PARAMETER_TYPES as readonly unknown[]).includes(value);
}

function isDeclaration(value: unknown): boolean {
  return declarationSchema.safeParse(typeof value === 'string' ? { type: value } : value).success;
}

/** Lets properties say `any`, as definitions do, for any value. */
function readSchema(raw: JsonObject, field: string): JsonSchema {
  const { type = 'object', properties } = raw;
  if (type !== 'object') throw validationError(`${field}.type`, 'must be "object"');
  if (!isJsonObject(properties)) return raw;
  const entries = Object.entries(properties).map(([name, property]) => {
    if (UNSAFE_NAMES.has(name)) throw unsafeName(`${field}.properties.${name}`);
    if (!isJsonObject(property) || property['type'] !== 'any') return [name, property];
    const { type: _, ...rest } = property;
    return [name, rest];
  });
  return { ...raw, properties: Object.fromEntries(entries) as JsonObject };
}

/** @param fallback the type of a declaration that has none */
function readNameMap(raw: JsonObject, field: string, fallback?: 'any'): JsonSchema {
  const declared = Object.entries(raw).map(
    ([name, value]) => [name, readDeclaration(name, value, field, fallback)] as const,
  );
  const schema = toInputSchema(
    Object.fromEntries(declared.map(([name, { default: _, ...parameter }]) => [name, parameter])),
  );
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, JsonObject>>);
  const defaults = new Map(declared.map(([name, { default: value }]) => [name, value]));
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => {
        const value = defaults.get(name);
        return [name, value === undefined ? property : { ...property, default: value }];
      }),
    ),
  };
}

function readDeclaration(
  name: string,
  value: unknown,
  field: string,
  fallback?: 'any',
): ToolParameter & { default?: unknown } {
  if (name === '' || name.length > MAX_NAME) {
    const shown = JSON.stringify(name.slice(0, 64));
    throw validationError(field, `the name ${shown} must have 1 to ${MAX_NAME} characters`);
  }
  const place = `${field}.${name}`;
  if (typeof value === 'string' && !isTypeName(value)) {
    throw validationError(place, `must be one of ${TYPE_LIST}; got ${JSON.stringify(value.slice(0, 64))}`);
  }
  if (typeof value !== 'string' && !isJsonObject(value)) {
    throw validationError(place, `must be a type name or an object with a type, got ${typeWord(value)}`);
  }
  const given =
    typeof value === 'string' ? { type: value } : { ...(fallback && { type: fallback }), ...value };
  const parsed = declarationSchema.safeParse(given);
  if (!parsed.success) throw fieldError(place, parsed.error);
  const { required, ...declared } = parsed.data;
  if (declared.enum && declared.type !== 'string') {
    throw validationError(`${place}.enum`, 'is possible for parameters of type string only');
  }
  return { ...declared, required: required ?? declared.default === undefined };
}

function unsafeName(field: string): Error {
  return validationError(field, 'is a name that no parameter may have');
}

function fieldError(field: string, error: z.ZodError): Error {
  const issue = error.issues[0];
  if (!issue) return validationError(field, 'is invalid');
  if (issue.code === 'unrecognized_keys') {
    const key = String(issue.keys[0]).slice(0, 64);
    const known = 'a parameter has type, description, enum, default and required';
    return validationError(`${field}.${key}`, `is not known; ${known}`);
  }
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const message = path === '.type' ? `must be one of ${TYPE_LIST}` : issue.message;
  return validationError(`${field}${path}`, message);
}
