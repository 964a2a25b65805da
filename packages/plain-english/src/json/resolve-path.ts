import { keyLikeness, plural } from './key-names';
import type { PathSegment } from './path-words';

interface Place {
  readonly value: unknown;
  readonly path: string;
}

/** A name found more than once where one is meant. */
export class AmbiguousPath extends Error {
  constructor(readonly paths: readonly string[]) {
    super(`more than one place is meant: ${paths.join(', ')}`);
  }
}

/** Most places looked at in one document. */
const MAX_PLACES = 5_000;
const GENERIC = new Set(
  'list array element item entry object record row value one items elements entries'.split(' '),
);

/**
 * The JSONPath of what a path in words means in an actual document: each name is the key most like it at the shallowest
 * depth below the one before. Undefined where there is none.
 * @throws AmbiguousPath
 */
export function resolvePathWords(segments: readonly PathSegment[], document: unknown): string | undefined {
  let place: Place | undefined = { value: document, path: '$' };
  for (const segment of segments) {
    const next = resolveSegment(place, segment);
    if (next) place = next;
    else if (!isGeneric(segment)) return undefined;
  }
  return place.path === '$' ? undefined : place.path;
}

/** `the list` says nothing that has to be a key. */
function isGeneric({ words, index }: PathSegment): boolean {
  return index === undefined && words.every((word) => GENERIC.has(word));
}

function resolveSegment(place: Place, { words, index }: PathSegment): Place | undefined {
  if (words.length === 0) return index === undefined ? place : atIndex(place, index);
  const found = findKey(place, words);
  if (found) return index === undefined ? found : (atIndex(found, index) ?? insideIndex(found, index));
  for (let cut = words.length - 1; cut > 0; cut--) {
    // `user name` may be two keys, one in the other.
    const outer = findKey(place, words.slice(0, cut));
    const inner = outer && resolveSegment(outer, segmentFrom(words.slice(cut), index));
    if (inner) return inner;
  }
  const generic = words.every((word) => GENERIC.has(word));
  return generic && index !== undefined ? atIndex(place, index) : undefined;
}

function segmentFrom(words: readonly string[], index: PathSegment['index']): PathSegment {
  return { words, index };
}

function atIndex({ value, path }: Place, index: number | 'all'): Place | undefined {
  if (!Array.isArray(value)) return onlyArray({ value, path }, index);
  if (index === 'all') return { value: value[0] as unknown, path: `${path}[*]` };
  return { value: value.at(index) as unknown, path: `${path}[${index}]` };
}

/** The first of an object's one list. */
function onlyArray({ value, path }: Place, index: number | 'all'): Place | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const arrays = Object.entries(value).filter(([, child]) => Array.isArray(child));
  const [only] = arrays;
  return only && arrays.length === 1
    ? atIndex({ value: only[1] as unknown, path: path + step(only[0]) }, index)
    : undefined;
}

/** `the first price` where prices are inside the elements of a list. */
function insideIndex(found: Place, index: number | 'all'): Place | undefined {
  if (index === 'all') return found;
  const at = found.path.lastIndexOf('[*]');
  if (at === -1) return undefined;
  return { value: found.value, path: `${found.path.slice(0, at)}[${index}]${found.path.slice(at + 3)}` };
}

/** The key most like the words, by breadth: the shallowest depth that has any. */
function findKey(start: Place, words: readonly string[]): Place | undefined {
  let level: Place[] = [start];
  let looked = 0;
  while (level.length > 0 && looked < MAX_PLACES) {
    const matches: (Place & { likeness: number })[] = [];
    const deeper: Place[] = [];
    for (const place of level) {
      for (const child of childrenOf(place)) {
        if (++looked >= MAX_PLACES) break;
        const likeness = child.key === undefined ? 0 : keyLikeness(words, child.key);
        if (likeness > 0) matches.push({ ...child, likeness });
        deeper.push(child);
      }
    }
    if (matches.length > 0) return best(matches);
    level = deeper;
  }
  return undefined;
}

function best(matches: readonly (Place & { likeness: number })[]): Place {
  const most = Math.max(...matches.map(({ likeness }) => likeness));
  const [first, ...others] = matches.filter(({ likeness }) => likeness === most);
  if (!first || others.length > 0)
    throw new AmbiguousPath([first, ...others].map((match) => match?.path ?? ''));
  return first;
}

function childrenOf({ value, path }: Place): (Place & { key?: string })[] {
  if (Array.isArray(value)) {
    // The elements of a list look alike; one stands for all.
    const sample: unknown = value.find((item) => typeof item === 'object' && item !== null);
    if (sample === undefined) return [];
    return childrenOf({ value: sample, path: value.length === 1 ? `${path}[0]` : `${path}[*]` });
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, child]: [string, unknown]) => ({
    key,
    value: child,
    path: path + step(key),
  }));
}

function step(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key)
    ? `.${key}`
    : `['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}

/** The path that the words most likely mean in a document not seen yet. */
export function guessPath(segments: readonly PathSegment[]): string | undefined {
  const named = segments.length > 1 ? segments.filter((segment) => !isGeneric(segment)) : segments;
  const path = named
    .map(({ words, index }) => {
      const key = words.join('_');
      if (index === undefined) return step(key);
      const place = index === 'all' ? '[*]' : `[${index}]`;
      return key === '' || (GENERIC.has(key) && segments.length > 1) ? place : step(plural(key)) + place;
    })
    .join('');
  return path === '' ? undefined : `$${path}`;
}
