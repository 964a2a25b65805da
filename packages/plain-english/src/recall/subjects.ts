import type { Subject } from './types';
import { nounSenses } from './wordnet';
import { conceptOf, LIGHT, type Word } from './words';

const RELATIVES = new Set(
  (
    'sister brother mother father spouse child son daughter cousin aunt uncle niece nephew grandmother grandfather wife husband fiance fiancee friend boss ' +
    'neighbour neighbor colleague girlfriend boyfriend partner teacher dentist landlord doctor flatmate roommate housemate twin ' +
    'parents parent sibling grandson granddaughter stepmother stepfather baby coach tutor client assistant manager ex dog cat ' +
    'horse hamster rabbit parrot puppy kitten bird fish mother-in-law father-in-law sister-in-law brother-in-law godmother godfather'
  )
    .split(' ')
    .map(conceptOf),
);

/** Names after these are of places and times. */
const PLACING = new Set(['to', 'in', 'at', 'from', 'on', 'near']);

export const USER: Subject = { who: 'user', terms: [], persons: [], mine: false };

/** Whom a run of words before a verb names; undefined where it is nobody and nothing. */
export function readSubject(words: readonly Word[]): Subject | undefined {
  const first = words[0]?.lower;
  if (first === undefined) return undefined;
  if (words.length === 1 || words.every(({ lower }) => LIGHT.has(lower) || lower === 'both')) {
    if (first === 'i' || first === 'we') return USER;
    if (first === 'you') return { ...USER, who: 'assistant' };
  }
  const mine = words.some(({ lower }) => lower === 'my' || lower === 'our');
  const named = words.filter(({ lower, token }) => !LIGHT.has(lower) && token.kind !== 'symbol');
  if (first === 'it' && words.length === 1) return { who: 'other', terms: [], persons: [], mine: true };
  if (named.length === 0 || words.length > 12) return undefined;
  return {
    who: 'other',
    terms: named.map(({ lower }) => conceptOf(lower)),
    persons: named.filter((word) => isPerson(word, words)).map(({ lower }) => conceptOf(lower)),
    mine,
  };
}

/** Relatives and the like, and names: capitals, save of a word that only begins the sentence. */
export function isPerson({ lower, token }: Word, words: readonly Word[]): boolean {
  if (RELATIVES.has(conceptOf(lower))) return true;
  const at = words.findIndex((word) => word.token === token);
  if (PLACING.has(words[at - 1]?.lower ?? '')) return false;
  const isFirst = at === 0;
  return (
    token.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(token.text) && (!isFirst || nounSenses(lower).length === 0)
  );
}

export function isRelative(lower: string): boolean {
  return RELATIVES.has(conceptOf(lower));
}
