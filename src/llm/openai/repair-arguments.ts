import { isJsonObject, type JsonObject } from '../../contracts/json';
import { JsonNestingError, parseJson, tryToParseJson } from '../../base/json/parse';
import { referredTo } from '../../base/json/pointer';
import { toWellFormedValue } from '../../base/text/well-formed';
import type { JsonSchema } from '../../contracts/http/tools';

/** How often a text is decoded that is JSON of JSON. */
const MAX_DECODED = 3;
/** Fields in which some models wrap the arguments. */
const WRAPPERS = ['arguments', 'parameters', 'args', 'input', 'properties'];
/** Deeper values are left as they are, and so are schemas that refer to themselves. */
const MAX_DEPTH = 32;

const NOT_AN_OBJECT = 'are not a JSON object';

/**
 * Reads the arguments of a call, and corrects their form if only one reading fits the schema: text that is JSON once
 * more, a field that wraps them, and numbers, truth values, lists and objects that are written as text. Null stands for an
 * argument that was left out. No value is changed that may be meant as it is. Pure.
 * @param schema the schema of the arguments
 * @returns the arguments, not checked yet; or, as a text, what is wrong with them, as in `are not a JSON object`
 */
export function repairArguments(args: string | JsonObject, schema: JsonSchema): JsonObject | string {
  const decoded = decode(args);
  if (typeof decoded === 'string') return decoded;
  return repairObject(unwrap(decoded, schema), schema, { root: schema, depth: 0 });
}

interface Place {
  /** The document in which `$ref` points. */
  readonly root: JsonSchema;
  readonly depth: number;
}

function decode(args: string | JsonObject): JsonObject | string {
  let value: unknown = args;
  for (let times = 0; typeof value === 'string' && times < MAX_DECODED; times += 1) {
    try {
      value = value.trim() === '' ? {} : parseJson(value);
    } catch (error) {
      return error instanceof JsonNestingError ? `cannot be used: ${error.message}` : NOT_AN_OBJECT;
    }
  }
  return isJsonObject(value) ? toWellFormedValue(value) : NOT_AN_OBJECT;
}

function unwrap(args: JsonObject, schema: JsonSchema): JsonObject {
  const [name, ...others] = Object.keys(args);
  if (name === undefined || others.length > 0 || !WRAPPERS.includes(name)) return args;
  const { properties } = schema;
  if (!isJsonObject(properties) || Object.hasOwn(properties, name)) return args;
  const inner = typeof args[name] === 'string' ? tryToParseJson(args[name]) : args[name];
  return isJsonObject(inner) ? inner : args;
}

function repairValue(value: unknown, schema: unknown, place: Place): unknown {
  if (!isJsonObject(schema) || place.depth > MAX_DEPTH) return value;
  const resolved = resolve(schema, place.root);
  const fitted = typeof value === 'string' ? fitText(value, resolved, place.root) : value;
  const inside = { ...place, depth: place.depth + 1 };
  if (isJsonObject(fitted)) return repairObject(fitted, resolved, inside);
  if (Array.isArray(fitted) && isJsonObject(resolved['items']))
    return fitted.map((item: unknown) => repairValue(item, resolved['items'], inside));
  return fitted;
}

function repairObject(value: JsonObject, schema: JsonObject, place: Place): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return value;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const entries = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isLeftOut = one === null && isJsonObject(property) && !needed.includes(name);
    if (isLeftOut && !(typesOf(property, place.root)?.has('null') ?? true)) return [];
    return [[name, repairValue(one, property, place)]];
  });
  return Object.fromEntries(entries);
}

/** Reads a text as JSON if the schema takes no text, and takes a value of the type that it is. */
function fitText(text: string, schema: JsonObject, root: JsonSchema): unknown {
  const types = typesOf(schema, root);
  if (types === undefined || types.has('string')) return text;
  const value = tryToParseJson(/^(?:true|false)$/i.test(text.trim()) ? text.toLowerCase() : text);
  return types.has(typeOf(value)) || (types.has('integer') && Number.isInteger(value)) ? value : text;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** How many alternatives are looked at for the types of a value. Those of a schema that refers to itself have no end. */
const MAX_ALTERNATIVES = 200;

/** The types of the values that a schema takes; undefined if it does not say. */
function typesOf(
  schema: JsonObject,
  root: JsonSchema,
  left = { alternatives: MAX_ALTERNATIVES },
): ReadonlySet<string> | undefined {
  left.alternatives -= 1;
  if (left.alternatives < 0) return undefined;
  const { type, enum: choices, anyOf, oneOf, const: only } = resolve(schema, root);
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  if (Array.isArray(choices)) return new Set(choices.map(typeOf));
  if (only !== undefined) return new Set([typeOf(only)]);
  const branches: unknown = anyOf ?? oneOf;
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const all = new Set<string>();
  for (const branch of branches as readonly unknown[]) {
    const types = isJsonObject(branch) ? typesOf(branch, root, left) : undefined;
    if (types === undefined) return undefined;
    for (const each of types) all.add(each);
  }
  return all;
}

/** Follows references within the document. */
function resolve(schema: JsonObject, root: JsonSchema): JsonObject {
  let current = schema;
  for (let steps = 0; typeof current['$ref'] === 'string' && steps < MAX_DEPTH; steps += 1) {
    const target = referredTo(root, current['$ref']);
    if (!isJsonObject(target)) break;
    current = target;
  }
  return current;
}
