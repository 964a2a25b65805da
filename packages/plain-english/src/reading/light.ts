import { setOf } from '../text/lexicon/words';
import type { Token } from '../text/token';

/**
 * Words that say nothing of what is wanted: they ask, greet, thank, or stand between the words that do. A word that denies, limits,
 * puts off or repeats a request is not among them, so that a sentence with one is refused where no value holds it.
 */
const LIGHT = setOf(
  'a an the my your our this that these those it its me us i we you u them their ' +
    "is are was be been am do does did can could would will shall should may might need want wanna like i'd i'm i'll let lets let's " +
    'please pls plz kindly just now thanks thank thx ty ta cheers hi hello hey there ok okay so well actually dear much lot very ' +
    'what whats waht which who whose how tell show give get find know see look ' +
    "of in on at for to from with by and then into about as 's up out via using use also both new " +
    'here right away quick quickly today morning afternoon evening good everyone team folks guys mate sorry ' +
    'result answer following below above call run make perform execute',
);
const MARKS = setOf(', . ? ! : ; - – ( ) … ` " # *');

/** True for a token that may be left out of what is read. */
export function isLight({ kind, lower }: Token): boolean {
  return (kind === 'word' && LIGHT.has(lower)) || (kind === 'symbol' && MARKS.has(lower));
}

/** The parts of a clause that a reading leaves out, though they say something. */
export function findUnread(tokens: readonly Token[], read: ReadonlySet<Token>): readonly Token[] {
  return tokens.filter((token) => !read.has(token) && !isLight(token));
}
