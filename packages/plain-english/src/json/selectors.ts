import type { Token } from '../text/token';
import { isBeside, itemDepth, type Field, type Path } from './fields';
import { keyWords, likeness } from './key-words';
import type { Mention } from './mentions';
import { isSuperlative, ordinalOf, type Word } from './question';
import { Unclear } from './unclear';

/** Words of a question that say which items of lists are meant. */
export interface Selector {
  readonly from: number;
  readonly to: number;
  /** The field whose values the words are, with the places that have them; or a position in a list. */
  readonly by:
    | { readonly kind: 'value'; readonly field: Field; readonly items: readonly Path[] }
    | { readonly kind: 'position'; readonly index: number };
}

const MIN_PART = 3;

/** The items that a question names by one of their values: `the email of Ada`, `invoice 1043`. */
export function findValues(words: readonly Word[], fields: readonly Field[]): readonly Selector[] {
  const positions = new Map<string, number[]>();
  for (const [at, { text }] of words.entries()) {
    for (const form of formsOf(text)) positions.set(form, [...(positions.get(form) ?? []), at]);
  }
  const found: (Selector & { whole: boolean; capital: boolean })[] = [];
  for (const field of fields) {
    const depth = itemDepth(field);
    for (const { path, value } of field.places) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const span = spanOf(value, words, positions, field);
      if (!span) continue;
      const same = found.find(
        (one) =>
          one.from === span.from && one.to === span.to && one.by.kind === 'value' && one.by.field === field,
      );
      const item = path.slice(0, depth);
      if (same?.by.kind === 'value' && same.whole === span.whole) (same.by.items as Path[]).push(item);
      else if (!same || (span.whole && !same.whole)) {
        if (same) found.splice(found.indexOf(same), 1);
        found.push({ ...span, by: { kind: 'value', field, items: [item] } });
      }
    }
  }
  return withoutOverlaps(found);
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly whole: boolean;
  readonly capital: boolean;
}

function spanOf(
  value: string | number,
  words: readonly Word[],
  positions: ReadonlyMap<string, readonly number[]>,
  field: Field,
): Span | undefined {
  const parts = keyWords(String(value));
  let best: Span | undefined;
  for (const [offset, part] of parts.entries()) {
    for (const from of positions.get(part) ?? []) {
      let length = 1;
      while (isSaid(parts[offset + length], words[from + length])) length++;
      const whole = length === parts.length;
      const inside = words.slice(from, from + length);
      const capital = inside.some((word) => word.capital);
      const isNamed =
        inside.some(
          ({ names, text }) => names && (/\d/.test(text) || text.length >= (whole ? 2 : MIN_PART)),
        ) || capital;
      if (!isNamed || (!whole && !isPartOfName(words, from, from + length))) continue;
      if (/^\d+$/.test(String(value)) && !isNumbered(words, from, field)) continue;
      if (!best || length > best.to - best.from) best = { from, to: from + length, whole, capital };
    }
  }
  return best;
}

function isSaid(part: string | undefined, word: Word | undefined): boolean {
  return part !== undefined && word !== undefined && formsOf(word.text).includes(part);
}

/** A word, and as one of several: `pans`. */
function formsOf(word: string): readonly string[] {
  return /[^s]s$/.test(word) && word.length > 3 ? [word, word.slice(0, -1)] : [word];
}

/** Of a value only a part is said, as a first name: a capital, or its place in the sentence, has to say that it is a name. */
function isPartOfName(words: readonly Word[], from: number, to: number): boolean {
  const before = words[from - 1]?.text ?? '';
  return (
    words.slice(from, to).every(({ names }) => names) &&
    (words[from]?.capital === true ||
      words[to]?.text === "'s" ||
      ['of', 'for', 'called', 'named'].includes(before))
  );
}

/** `invoice 1043`, `id 7`: a number names an item only after what it numbers. */
function isNumbered(words: readonly Word[], at: number, { pattern }: Field): boolean {
  const before = words[at - 1];
  if (!before) return false;
  const names = pattern.slice(-3).flatMap((part) => keyWords(part));
  return before.names && names.some((name) => likeness(before.text, name) >= 0.97);
}

/** Longer spans first, then whole values before parts of values. */
function withoutOverlaps<T extends Selector & { readonly whole: boolean }>(selectors: readonly T[]): T[] {
  const sorted = [...selectors].sort(
    (a, b) => b.to - b.from - (a.to - a.from) || Number(b.whole) - Number(a.whole),
  );
  const taken: T[] = [];
  for (const one of sorted) {
    const rivals = taken.filter(({ from, to }) => one.from < to && from < one.to);
    const isAlike = rivals.every(
      ({ from, to, whole }) => from === one.from && to === one.to && whole === one.whole,
    );
    if (isAlike) taken.push(one);
  }
  return taken.sort((a, b) => a.from - b.from);
}

/** `the third task`, `episode three`. Words that names and values use are none. */
export function findPositions(
  words: readonly Word[],
  tokens: readonly Token[],
  mentions: readonly Mention[],
  isUsed: (at: number) => boolean,
): readonly Selector[] {
  return words.flatMap(({ token, text }, at) => {
    const inList = mentions.some(({ to, fields }) => to === at && fields.some(holdsList));
    const cardinal = inList ? CARDINALS.indexOf(text) : -1;
    const index = ordinalOf({ text }) ?? (cardinal > 0 ? cardinal - 1 : undefined);
    // `First, fetch …` counts nothing, and `the second highest` is found among all.
    const next = words[at + 1]?.text ?? '';
    if (index === undefined || isUsed(at) || tokens[token + 1]?.text === ',' || isSuperlative(next))
      return [];
    if (CARDINALS.includes(next) || /^\d+$/.test(next))
      throw new Unclear('Several items from one end of a list are nothing that is read.');
    return [{ from: at, to: at + 1, by: { kind: 'position', index } as const }];
  });
}

const CARDINALS = 'zero one two three four five six seven eight nine ten'.split(' ');

export function holdsList({ places }: Field): boolean {
  return places.some(({ value }) => Array.isArray(value));
}

/** True where a selector says something about the items that a field is in. */
export function concerns(selector: Selector, field: Field): boolean {
  return selector.by.kind === 'position' || isBeside(field, selector.by.field);
}
