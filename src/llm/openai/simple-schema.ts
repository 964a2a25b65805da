import { isJsonObject } from '../../contracts/json';
import type { JsonSchema } from '../json-schema';

/** Keywords that every server with function calling takes. */
const KEPT: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'items', 'enum']);

/** Leaves out of a schema all keywords that some servers refuse. It allows more than the whole schema. Pure. */
export function simplifySchema(schema: JsonSchema): JsonSchema {
  const { type, properties, items } = schema;
  const kept = Object.entries(schema).filter(([keyword]) => KEPT.has(keyword));
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(type) ? { type: type.find((name) => name !== 'null') as unknown } : {}),
    ...(isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, simplify(one)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: simplify(items) }),
  };
}

function simplify(schema: unknown): JsonSchema {
  return isJsonObject(schema) ? simplifySchema(schema) : {};
}
