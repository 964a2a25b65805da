import { setOf, wordsTagged } from '../text/lexicon/words';
import type { Token } from '../text/token';

/**
 * Words that say nothing of what is wanted: they ask, greet, thank, or stand between the words that do. A word that denies, limits,
 * puts off or repeats a request is not among them, so that a sentence with one is refused where no value holds it.
 */
const LIGHT = wordsTagged('light');
const MARKS = setOf(', . ? ! : ; - – ( ) … ` " # *');

/** True for a token that may be left out of what is read. */
export function isLight({ kind, lower }: Token): boolean {
  return (kind === 'word' && LIGHT.has(lower)) || (kind === 'symbol' && MARKS.has(lower));
}

/** The parts of a clause that a reading leaves out, though they say something. */
export function findUnread(tokens: readonly Token[], read: ReadonlySet<Token>): readonly Token[] {
  return tokens.filter((token) => !read.has(token) && !isLight(token));
}
