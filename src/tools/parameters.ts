import type { z } from 'zod';
import {
  PARAMETER_TYPES,
  toolParameterSchema,
  type ToolParameter,
  type ToolParameters,
} from '../contracts/http/tools';
import { validationError } from '../base/errors';
import { isJsonObject, type JsonObject } from '../contracts/json';

/** A tool as language models and `GET /api/tools/definitions` see it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Omit<ToolParameter, 'required'>>>;
    readonly required: readonly string[];
  };
}

/** Maximum number of parameters of one tool. */
export const MAX_PARAMETERS = 64;

export const PARAMETER_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Names that would reach an object's prototype in code that assigns by name. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const TYPE_LIST = PARAMETER_TYPES.join(', ');

const fullFormSchema = toolParameterSchema
  .extend({
    description: toolParameterSchema.shape.description.default(''),
    required: toolParameterSchema.shape.required.default(true),
  })
  .strict();

/**
 * Converts the `parameters` of a registration to their stored form. It accepts
 *
 * - the name map: parameter name to a type name, or to `{ type, description?, enum?, required? }`; a parameter
 *   is required unless it says `required: false`;
 * - a JSON Schema of type `object` with `properties`; its `required` list says which are required, a property
 *   without `type` or with several takes any value, and keywords that are not kept are ignored.
 *
 * A tool without `parameters` declares none.
 * @throws HoldfastError `VALIDATION` with a field such as `parameters.city.type`
 */
export function normaliseParameters(raw: unknown): ToolParameters {
  if (raw === undefined) return {};
  if (!isJsonObject(raw)) throw validationError('parameters', `must be an object, got ${typeWord(raw)}`);
  const schema = asJsonSchema(raw);
  return schema
    ? readEntries(schema.properties, 'parameters.properties', readRequired(raw, schema.properties))
    : readEntries(raw, 'parameters');
}

/** Parameter name to type name, as `GET /api/tools` shows parameters. */
export function toTypeNames(parameters: ToolParameters): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, { type }]) => [name, type]));
}

/**
 * The function-calling form of a tool. The type `any` stays; a model's adapter omits it where the model requires that.
 */
export function toDefinition(tool: {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
}): ToolDefinition {
  const entries = Object.entries(tool.parameters);
  return {
    name: tool.name,
    description: tool.description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { required: _, ...property }]) => [name, property])),
      required: entries.filter(([, { required }]) => required).map(([name]) => name),
    },
  };
}

/** The type of a JSON value in one word. */
export function typeWord(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Distinguishes a JSON Schema from a name map that happens to declare parameters called `type` and `properties`: in a
 * name map `properties` is a type name, or an object whose `type` is one.
 */
function asJsonSchema(raw: JsonObject): { properties: JsonObject } | undefined {
  const { type, properties } = raw;
  if (type !== 'object' || !isJsonObject(properties) || typeof properties['type'] === 'string')
    return undefined;
  return { properties };
}

function readRequired(raw: JsonObject, properties: JsonObject): (name: string) => boolean {
  const list = raw['required'] ?? [];
  if (!Array.isArray(list))
    throw validationError('parameters.required', 'must be an array of parameter names');
  list.forEach((name: unknown, index) => {
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) {
      throw validationError(`parameters.required[${index}]`, 'must be the name of one of the properties');
    }
  });
  const names = new Set<unknown>(list);
  return (name) => names.has(name);
}

/** @param required only for JSON Schema properties: whether the property of that name is required */
function readEntries(
  entries: JsonObject,
  field: string,
  required?: (name: string) => boolean,
): ToolParameters {
  const names = Object.keys(entries);
  if (names.length > MAX_PARAMETERS) {
    throw validationError(field, `must have at most ${MAX_PARAMETERS} parameters, got ${names.length}`);
  }
  return Object.fromEntries(
    names.map((name) => {
      checkName(name, field);
      const value = entries[name];
      const full = required ? fromProperty(value, `${field}.${name}`, required(name)) : value;
      return [name, readParameter(full, `${field}.${name}`)];
    }),
  );
}

function checkName(name: string, field: string): void {
  if (!PARAMETER_NAME.test(name)) {
    const shown = JSON.stringify(name.slice(0, 64));
    throw validationError(field, `the name ${shown} must be 1 to 64 letters, digits, "_" or "-"`);
  }
  if (UNSAFE_NAMES.has(name))
    throw validationError(`${field}.${name}`, 'is a name that no parameter may have');
}

function readParameter(value: unknown, field: string): ToolParameter {
  if (typeof value === 'string') {
    const named = fullFormSchema.safeParse({ type: value });
    if (named.success) return named.data;
    throw validationError(field, `must be one of ${TYPE_LIST}; got ${JSON.stringify(value.slice(0, 64))}`);
  }
  if (!isJsonObject(value)) {
    throw validationError(field, `must be a type name or an object with a type, got ${typeWord(value)}`);
  }
  const parsed = fullFormSchema.safeParse(value);
  if (!parsed.success) throw fieldError(field, parsed.error);
  if (parsed.data.enum && parsed.data.type !== 'string') {
    throw validationError(`${field}.enum`, 'is possible for parameters of type string only');
  }
  return parsed.data;
}

/** A JSON Schema property in the full form of the name map. */
function fromProperty(value: unknown, field: string, required: boolean): unknown {
  if (!isJsonObject(value)) throw validationError(field, `must be a schema object, got ${typeWord(value)}`);
  const { type = value['enum'] === undefined ? 'any' : 'string', description, enum: choices } = value;
  return {
    type: Array.isArray(type) ? 'any' : type,
    required,
    description,
    enum: choices,
  };
}

function fieldError(field: string, error: z.ZodError): Error {
  const issue = error.issues[0];
  if (!issue) return validationError(field, 'is invalid');
  if (issue.code === 'unrecognized_keys') {
    const key = String(issue.keys[0]).slice(0, 64);
    return validationError(
      `${field}.${key}`,
      'is not known; a parameter has type, description, enum and required',
    );
  }
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const message = path === '.type' ? `must be one of ${TYPE_LIST}` : issue.message;
  return validationError(`${field}${path}`, message);
}
