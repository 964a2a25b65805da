import { isKeptNumber } from '../base/json/scan';
import { MAX_NESTING } from '../base/json/bounds';

type Fields = Readonly<Record<string, unknown>>;

/** Keywords whose value has to be a number of the engine. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);
/** Keywords whose values are compared with values, or inserted as values, so that they stay as they were read. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords that hold schemas by names, which are no keywords. */
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/**
 * Turns the bounds of a schema that were kept as texts, such as the limits of 64-bit integers, into the nearest numbers, because a
 * bound that is a text is not valid. Parts that are nested deeper than JSON from outside may be stay as they are. Pure.
 */
export function withNumericBounds(schema: Fields): Fields {
  return ofFields(schema, 0);
}

/** Does so in the schemas of a tool, of which models and clients get no text for a bound either. Pure. */
export function withNumericSchemas<
  T extends { readonly inputSchema: Fields; readonly outputSchema?: Fields },
>(tool: T): T {
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: withNumericBounds(inputSchema),
    outputSchema: outputSchema && withNumericBounds(outputSchema),
  };
}

function ofFields(schema: Fields, depth: number): Fields {
  return mapFields(schema, (value, keyword) => {
    if (BOUNDS.has(keyword)) return toBound(value);
    if (VALUES.has(keyword)) return value;
    if (BY_NAME.has(keyword) && isFields(value)) return mapFields(value, (part) => ofPart(part, depth + 2));
    return ofPart(value, depth + 1);
  });
}

function ofPart(part: unknown, depth: number): unknown {
  if (depth > MAX_NESTING) return part;
  if (Array.isArray(part)) return part.map((item) => ofPart(item, depth + 1));
  return isFields(part) ? ofFields(part, depth) : part;
}

/** Limits a bound beyond the range of a double to that range, within which every checked number is. */
function toBound(value: unknown): unknown {
  if (!isKeptNumber(value)) return value;
  return Math.min(Math.max(Number(value), -Number.MAX_VALUE), Number.MAX_VALUE);
}

function mapFields(fields: Fields, toValue: (value: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toValue(value, name)]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
