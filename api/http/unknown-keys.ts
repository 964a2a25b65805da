import type { z } from 'zod';
import { findNearest, plainName } from '../../src/base/text/nearest';
import { formatPath, keysOf, placeOf, type SchemaKey, takesOthers } from './schema-keys';

/** Other words for names, which are too far from them to be found as misspelt. */
const SYNONYMS = new Map(
  Object.entries({
    code: ['execute'],
    source: ['execute'],
    script: ['execute'],
    function: ['execute'],
    handler: ['execute'],
    arguments: ['args'],
    parameters: ['args', 'inputs'],
    params: ['args', 'inputs'],
    input: ['args', 'inputs'],
    tool: ['toolName'],
    name: ['toolName'],
    text: ['content', 'message', 'query'],
    prompt: ['query', 'message'],
    filters: ['tags'],
    approve: ['decision'],
    approved: ['decision'],
  }),
);

/** The fields without which a request does something else than was meant, so that no other word for them is ignored. */
const CARRYING: ReadonlySet<string> = new Set(['args', 'inputs', 'tags']);

/** The levels of a body at which a name of the contract is accepted without an effect. */
const TAKES_CONTRACT_NAMES = /^(?:|options|workflow|tools\[\]|queries\[\]|queries\[\]\.options)$/;
/** A filter without an effect would find more than was asked for, so of other kinds of memory these alone are accepted. */
const CONTRACT_FILTERS: ReadonlySet<string> = new Set(['timeRange', 'tags', 'categories', 'importance']);
const MAX_SHOWN = 30;
/** A shorter name is a part of too many names at other levels. */
const MIN_FAR = 6;

/** What a request may have besides the fields of its schema. */
export interface KeyRules {
  /** Names of the contract, which the area accepts even if they have no effect. */
  readonly names?: ReadonlySet<string> | undefined;
  /** The schema of the body, for the query of a request: a field of it belongs there. */
  readonly body?: z.ZodType | undefined;
}

/** An object of a request with fields that its schema does not have. */
export interface UnknownKeys {
  readonly schema: z.ZodType;
  readonly path: readonly PropertyKey[];
  /** The names that the schema of the object has. */
  readonly known: readonly string[];
}

/**
 * Says what is wrong with a field that a schema does not have; undefined if it is ignored. Pure.
 * @returns the end of a sentence that begins with the field
 */
export function findKeyProblem(
  { schema, path, known }: UnknownKeys,
  key: string,
  { names, body }: KeyRules,
): string | undefined {
  const level = formatPath(path).replaceAll(/\[\d+\]/g, '[]');
  const everywhere = keysOf(schema);
  const same = everywhere.get(plainName(key)) ?? [];
  const elsewhere = same.filter((each) => each.level !== level);
  const inBody = body === undefined ? [] : (keysOf(body).get(plainName(key)) ?? []);
  const near = findNearest(key, known);
  const synonym = (SYNONYMS.get(key.toLowerCase()) ?? []).find((name) => known.includes(name));
  const isContract =
    names?.has(key) === true &&
    (synonym === undefined || !CARRYING.has(synonym)) &&
    (level === 'filters' ? CONTRACT_FILTERS.has(key) : TAKES_CONTRACT_NAMES.test(level));
  // The tools of an approval are no place for those of a call.
  const others = [...elsewhere, ...inBody].filter((place) => !(isContract && /approval$/.test(place.level)));
  if (others.length === 0 && isContract) return undefined;
  if (synonym !== undefined) return `is not known; the nearest is ${synonym}`;
  const isLike = near?.isLikely === true;
  if (others.length === 0 && !isLike && level === '' && takesOthers(schema)) return undefined;
  const [place] = elsewhere.filter(({ name }) => name === key || !isLike);
  if (place !== undefined) return `is not known here; it belongs at ${placeOf(place)}`;
  if (isLike) return `is not known; the nearest is ${near.name}`;
  const [field] = inBody;
  if (field !== undefined) return `is not known here; it belongs in the body, at ${placeOf(field)}`;
  if (same.length > 0) return `is not known for this type; known are ${list(known)}`;
  if (near !== undefined) return `is not known; the nearest is ${near.name}`;
  const far = findFar(key, [...everywhere.values()].flat());
  if (far !== undefined) return `is not known; the nearest is ${placeOf(far)}`;
  return known.length === 0
    ? 'is not known; nothing is taken here'
    : `is not known; known are ${list(known)}`;
}

/** The field at another level that a name is most like. */
function findFar(key: string, everywhere: readonly SchemaKey[]): SchemaKey | undefined {
  const near = findNearest(key, [...new Set(everywhere.map(({ name }) => name))]);
  const isNear = near?.isLikely === true || key.length >= MIN_FAR;
  return isNear ? everywhere.find(({ name }) => name === near?.name) : undefined;
}

function list(names: readonly string[]): string {
  return names.length <= MAX_SHOWN ? names.join(', ') : `${names.slice(0, MAX_SHOWN).join(', ')}, …`;
}
