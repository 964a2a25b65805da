import type { JsonSchema } from '../../src/contracts/http/tools';
import { isJsonObject } from '../../src/contracts/json';

/** By it a server asks clients to repeat an argument in a header of the request, so that a proxy can route by it. */
const KEYWORD = 'x-mcp-header';
/** Keywords whose value has schemas by names that the author of the schema chose. */
const SCHEMAS_BY_NAME = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose value is data, which is no schema whatever it looks like. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/**
 * Removes the keyword from a schema, wherever it is one. The service checks no such header, so it must not ask its clients
 * for any. A schema without the keyword is returned as it is. Pure.
 */
export function withoutHeaderKeyword(schema: JsonSchema): JsonSchema {
  return JSON.stringify(schema).includes(KEYWORD) ? (strip(schema) as JsonSchema) : schema;
}

function strip(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strip);
  return mapEntries(schema, (name, value) => {
    if (name === KEYWORD) return undefined;
    if (DATA.has(name)) return value;
    return SCHEMAS_BY_NAME.has(name) ? mapEntries(value, (_, part) => strip(part)) : strip(value);
  });
}

/** Maps the values of an object, without those that become undefined. Any other value is returned as it is. */
function mapEntries(value: unknown, map: (name: string, value: unknown) => unknown): unknown {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, map(name, item)]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}
