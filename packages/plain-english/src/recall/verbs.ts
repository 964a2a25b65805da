import { verbBases } from '../text/base-forms';
import { wordsTagged } from '../text/lexicon/words';

/** Verbs that tell where a subject ends. */
const VERBS = wordsTagged('verbs-verbs');

/** The base of a word that is known as a verb, in any form of it. */
export function verbOf(word: string): string | undefined {
  return verbBases(word).find((base) => VERBS.has(base));
}
