import { setOf, wordsTagged } from '../text/lexicon/words';
import { lowerAt, type Token } from '../text/token';

/**
 * Words that say nothing of what is wanted: they ask, greet, thank, or stand between the words that do. A word that denies, limits,
 * puts off or repeats a request is not among them, so that a sentence with one is refused if no value holds it.
 */
const LIGHT = wordsTagged('light');
/** These say nothing before what they are about; after it, they ask for something more. */
const LEADING = setOf('get find look make run perform execute call use invoke');
const MARKS = setOf(', . ? ! : ; - – ( ) … ` " # *');

/** True for a token that may be left out of what is read. */
export function isLight({ kind, lower }: Token): boolean {
  return (kind === 'word' && LIGHT.has(lower)) || (kind === 'symbol' && MARKS.has(lower));
}

/** A clause of these alone greets, thanks, or asks for the answer. */
const FILLER = setOf(
  'please pls plz kindly thanks thank thx ty ta cheers hi hello hey there ok okay good morning afternoon evening day everyone team folks ' +
    'guys mate dear you a an the lot very much so for that this it help tell show give let me us know result answer now and then so well',
);

/** True for a clause that asks for nothing. */
export function isFiller(tokens: readonly Token[]): boolean {
  return tokens.every((token) => (token.kind === 'symbol' ? isLight(token) : FILLER.has(token.lower)));
}

/** The parts of a clause that a reading leaves out, though they say something. */
export function findUnread(tokens: readonly Token[], read: ReadonlySet<Token>): readonly Token[] {
  let isLeading = true;
  return tokens.filter((token) => {
    if (read.has(token) && !isLight(token)) isLeading = false;
    return !read.has(token) && !isLight(token) && !(isLeading && LEADING.has(token.lower));
  });
}

const SUBJECTS = setOf('i we you they he she it nobody somebody');

/** Whether the verb at a place orders: `I delete …` and `should I delete …` do not, and `could you delete …` does. */
export function isOrdered(tokens: readonly Token[], at: number): boolean {
  const [verb, subject] = [lowerAt(tokens, at - 2), lowerAt(tokens, at - 1)];
  return !SUBJECTS.has(subject) || (subject === 'you' && /^(?:can|could|would|will)$/.test(verb));
}
