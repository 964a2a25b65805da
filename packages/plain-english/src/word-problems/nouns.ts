import { STOP_WORDS } from '../text/stop-words';
import { type Item, JOINTS } from './items';
import type { Unit } from './unit';
import { ADVERBS, COMPOUND, EACH, measureOf, unitOf, UNKNOWN } from './units';
import { wordsTagged } from '../text/lexicon/words';

/** Words that end what a number counts. */
const VERBS = wordsTagged('nouns-verbs');
/** Words that say no more than that there is something. */
const VAGUE = wordsTagged('nouns-vague');

/** What a number counts or measures. */
export interface Noun extends Unit {
  /** Number of the item after it. */
  readonly next: number;
  readonly isMeasure: boolean;
}

export const simpleNoun = (name: string, next: number, isMeasure = false): Noun => ({
  of: [name],
  per: [],
  next,
  isMeasure,
});

/** The unit or thing that is named from this item on. */
export function nounAt(items: readonly Item[], at: number): Noun | undefined {
  const word = wordAt(items, at);
  if (Object.hasOwn(ADVERBS, word))
    return isContent(wordAt(items, at + 1)) ? thingAt(items, at + 1) : undefined;
  if (VAGUE.has(word) && wordAt(items, at + 1) !== '') return nounAt(items, at + 1);
  if (word === 'square' || word === 'sq' || word === 'cubic') {
    const name = measureOf(wordAt(items, at + 1));
    const times = word === 'cubic' ? 3 : 2;
    if (name !== undefined)
      return { of: Array.from({ length: times }, () => name), per: [], next: at + 2, isMeasure: true };
  }
  const compound = COMPOUND.get(word);
  if (compound) return { ...compound, next: at + 1, isMeasure: true };
  if (word === 'of' && /^(?:us|them|you|these|those)$/.test(wordAt(items, at + 1)))
    return simpleNoun(wordAt(items, at + 1) === 'us' ? 'person' : UNKNOWN, at + 2);
  const measure = measureOf(word);
  return measure === undefined ? thingAt(items, at) : simpleNoun(measure, at + 1, true);
}

/** `student tickets`: up to three words of a thing. */
function thingAt(items: readonly Item[], at: number): Noun | undefined {
  const words: string[] = [];
  let next = at;
  for (; words.length < 3; next++) {
    const word = wordAt(items, next);
    if (VAGUE.has(word)) continue;
    if (!isContent(word)) break;
    words.push(unitOf(word));
    // `5 workers dig`: what follows a plural is a verb.
    if (isPlural(word) && !isPlural(wordAt(items, next + 1))) {
      next++;
      break;
    }
  }
  if (words.length > 0) return simpleNoun(words.join(' '), next);
  return /^(?:us|ones?)$/.test(wordAt(items, at))
    ? simpleNoun(wordAt(items, at) === 'us' ? 'person' : EACH, at + 1)
    : undefined;
}

/** Plurals by their ending, and those that have none. */
export const isPlural = (word: string): boolean =>
  /[^s]s$/.test(word) ||
  /(?:people|children|men|women)$|^(?:sheep|fish|deer|staff|ppl|feet|teeth|mice|geese|dice|cattle)$/.test(
    word,
  );

export function isContent(word: string): boolean {
  return (
    /^\p{L}{2}/u.test(word) && !VERBS.has(word) && (!STOP_WORDS.has(word) || measureOf(word) !== undefined)
  );
}

export function wordAt(items: readonly Item[], at: number): string {
  const item = items[at];
  return item?.kind === 'word' ? item.text : '';
}

/** Some items as they are read by patterns, with `#` for a number. */
export const textOf = (items: readonly Item[], from = 0, to = items.length): string =>
  items
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');

const isPhraseWord = (item: Item | undefined): boolean => item?.kind === 'word' && !JOINTS.has(item.text);

/** Where the words begin that stand right before an item. */
export function phraseStart(items: readonly Item[], at: number, max = Infinity): number {
  let start = at;
  while (at - start < max && isPhraseWord(items[start - 1])) start--;
  return start;
}

export const wordsBefore = (items: readonly Item[], at: number): string =>
  textOf(items, phraseStart(items, at), at);

export function wordsAfter(items: readonly Item[], at: number): string {
  let end = at;
  while (isPhraseWord(items[end])) end++;
  return textOf(items, at, end);
}
