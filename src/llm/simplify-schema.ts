import { referredTo } from '../base/json/pointer';
import type { JsonSchema } from '../contracts/http/tools';
import { isJsonObject } from '../contracts/json';
import { cutText } from '../base/text/well-formed';

/** A schema that refers to itself has no end. Deeper parts, and those beyond this number, take anything. */
const MAX_DEPTH = 12;
const MAX_PARTS = 2_000;
const MAX_DESCRIPTION = 1_000;

/**
 * Leaves of a schema what every provider takes: `type`, `properties`, `required`, `items`, `enum` of texts and `description`.
 * References within the document are resolved, and of alternatives the only one that is not null is taken; what cannot be said in
 * these words takes anything. It is for the request to a model alone: calls are checked by the whole schema. Pure.
 */
export function simplifySchema(schema: JsonSchema): JsonSchema {
  const simple = simplify(schema, { document: schema, parts: 0 }, 0);
  return { ...simple, type: 'object', properties: simple['properties'] ?? {} };
}

/** The document, and how many parts of it were written. */
interface Root {
  readonly document: JsonSchema;
  parts: number;
}

function simplify(part: unknown, root: Root, depth: number): JsonSchema {
  root.parts += 1;
  if (!isJsonObject(part) || depth > MAX_DEPTH || root.parts > MAX_PARTS) return {};
  const { description } = part;
  const about = typeof description === 'string' ? { description: cutText(description, MAX_DESCRIPTION) } : {};
  const stands = standsFor(part, root.document);
  if (stands !== undefined) return { ...simplify(stands, root, depth + 1), ...about };
  const { properties, required, items } = part;
  const [type] = [part['type']].flat().filter((name) => typeof name === 'string' && name !== 'null');
  const choices = 'const' in part ? [part['const']] : part['enum'];
  const isTexts = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
  const isArray = type === 'array' || (type === undefined && items !== undefined);
  const isObject = isJsonObject(properties);
  return {
    type,
    ...(isArray ? { type: 'array', items: simplify(items, root, depth + 1) } : {}),
    ...(isTexts ? { type: 'string', enum: choices } : {}),
    ...(isObject ? { type: 'object', ...simplifyProperties(properties, required, root, depth) } : {}),
    ...about,
  };
}

function simplifyProperties(
  properties: Readonly<Record<string, unknown>>,
  required: unknown,
  root: Root,
  depth: number,
): JsonSchema {
  const entries = Object.entries(properties).map(([name, property]) => [
    name,
    simplify(property, root, depth + 1),
  ]);
  // A name that is required and not declared is refused by some.
  const needed = Array.isArray(required)
    ? required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
    : [];
  return {
    properties: Object.fromEntries(entries) as JsonSchema,
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

/** The schema in whose place a part stands: what it refers to, or its only alternative. */
function standsFor(part: JsonSchema, root: JsonSchema): unknown {
  const { $ref, anyOf, oneOf, allOf } = part;
  if (typeof $ref === 'string') return referredTo(root, $ref);
  const alternatives = [anyOf, oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  if (alternatives !== undefined) {
    const others = alternatives.filter((one) => !isJsonObject(one) || one['type'] !== 'null');
    return others.length === 1 && part['properties'] === undefined ? others[0] : undefined;
  }
  return Array.isArray(allOf) && allOf.length === 1 && part['properties'] === undefined
    ? allOf[0]
    : undefined;
}
