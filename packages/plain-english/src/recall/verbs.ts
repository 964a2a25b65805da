import { verbBases } from '../text/base-forms';
import { wordsTagged } from '../text/lexicon/words';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs that tell where a subject ends. */
const VERBS = wordsTagged('verbs-verbs');
export const BE = list('is are am was were be been being');
export const AUXILIARIES = wordsTagged('auxiliaries');
export const ADVERBS = wordsTagged('adverbs');

/** The base of a word that is known as a verb, in any form of it. */
export function verbOf(word: string): string | undefined {
  return verbBases(word).find((base) => VERBS.has(base));
}
