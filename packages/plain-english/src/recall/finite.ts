import { baseForm, verbBases } from '../text/base-forms';
import { ARTICLES } from '../text/stop-words';
import { AUXILIARIES, BE, verbOf } from './verbs';
import { sensesOf } from './wordnet';
import { isCapital } from './persons';
import { lowerAt, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

const BEFORE_NOUN = wordsTagged('finite-before-noun');
const PRONOUNS = new Set('i we you he she they it who that there'.split(' '));

/** Whether a word is the verb that its clause is built on, by its form and its neighbours. */
export function isFiniteVerb(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (word?.token.kind !== 'word') return false;
  const { lower } = word;
  if (lower === "'s") return isShortIs(words, at);
  if (BE.has(lower) || (AUXILIARIES.has(lower) && lower !== 'to' && lower !== 'going'))
    return (lower !== 'been' && lower !== 'being') || at === 0;
  const previous = lowerAt(words, at - 1);
  if (PRONOUNS.has(previous)) return isVerb(lower);
  if (ARTICLES.has(previous) || BEFORE_NOUN.has(previous) || lower.endsWith('ing')) return false;
  if (at > 0 && isCapital(word.token.text)) return false;
  const isPast = lower.endsWith('ed') || (baseForm(lower) !== lower && !lower.endsWith('s'));
  if (isPast) return isVerb(lower);
  if (!lower.endsWith('s') || lower.endsWith('ss'))
    return (
      at === 0 &&
      verbOf(lower) !== undefined &&
      sensesOf(lower, 'verb').length > sensesOf(lower, 'noun').length
    );
  const base = verbBases(lower).find((one) => sensesOf(one, 'verb').length > 0);
  return (
    base !== undefined &&
    (verbOf(lower) !== undefined || sensesOf(base, 'verb').length >= sensesOf(base, 'noun').length)
  );
}

function isVerb(lower: string): boolean {
  return verbBases(lower).some((base) => sensesOf(base, 'verb').length > 0);
}

const AFTER_IS =
  /^(?:an?|the|in|on|at|with|my|our|to|not|so|now|been|got|going|off|from|under|behind|for|about|into|mad|home|still|coming|due|\d.*|.+ing|.+ed)$/;

/** `my car's in for repair`, `my wife's Adaeze`, and not `my wife's car`. */
export function isShortIs(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  if (!next) return false;
  if (AFTER_IS.test(next.lower)) return true;
  const isEnd = words[at + 2] === undefined || words[at + 2]?.token.kind === 'symbol';
  return isEnd && (isCapital(next.token.text) || next.token.kind !== 'word');
}
