import type { Token } from '../text/token';
import { lowerAt, toWords, type Word } from './words';
import { isShortIs } from './finite';
import { singular } from '../text/base-forms';
import { ADVERBS, AUXILIARIES, BE, verbOf } from './verbs';
import { nounSenses } from './wordnet';
import { wordsTagged } from '../text/lexicon/words';

export { sentencesOf } from '../text/sentences';

const JOINS = wordsTagged('joins');
const SUBJECTS = wordsTagged('clauses-subjects');
const ASKS = new Set('what which who whom whose when where why how'.split(' '));
const INVERTED = wordsTagged('inverted');

/** True for a sentence that asks. */
export function isQuestion(sentence: readonly Token[]): boolean {
  if (sentence.at(-1)?.text === '?') return true;
  const words = toWords(sentence.slice(0, 8));
  const at = words[0] && ['and', 'so', 'but', 'or', 'ok', 'hey', 'hi'].includes(words[0].lower) ? 1 : 0;
  const [first = '', second = ''] = [words[at]?.lower, words[at + 1]?.lower];
  if (INVERTED.has(first) && SUBJECTS.has(second)) return true;
  return (
    ASKS.has(first) &&
    (INVERTED.has(second) || words.slice(at, at + 4).some(({ lower }) => INVERTED.has(lower)))
  );
}

/** Cut where a joining word is followed by what begins a statement of its own. */
export function splitClauses(words: readonly Word[]): Word[][] {
  const clauses: Word[][] = [];
  let start = 0;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (!word || !JOINS.has(word.lower) || word.token.kind === 'quoted') continue;
    let begin = at + 1;
    while (JOINS.has(lowerAt(words, begin))) begin++;
    // `Remember that … and that I drink tea`: the second one is said of nothing before it.
    if (words[begin]?.lower === 'that' && SUBJECTS.has(lowerAt(words, begin + 1))) begin++;
    if (!hasVerb(words.slice(start, at)) || !beginsStatement(words, begin)) continue;
    clauses.push(words.slice(start, at));
    start = begin;
    at = begin;
  }
  clauses.push(words.slice(start));
  return clauses.map(withoutMark).filter((clause) => clause.length > 0);
}

/** `my wife and I like tea` is one statement, as nothing is said before `and`. */
function hasVerb(words: readonly Word[]): boolean {
  return words.some(
    ({ lower }, at) =>
      verbOf(lower) !== undefined || AUXILIARIES.has(lower) || (lower === "'s" && isShortIs(words, at)),
  );
}

function withoutMark(clause: Word[]): Word[] {
  let end = clause.length;
  while (
    end > 0 &&
    clause[end - 1]?.token.kind === 'symbol' &&
    /[.,;:!?…)-]/.test(clause[end - 1]?.lower ?? '')
  )
    end--;
  return clause.slice(0, end);
}

/** `and I prefer tea`, `, my sister is a vet`, `and drive a van` do; `and my dog` does not. */
function beginsStatement(words: readonly Word[], begin: number): boolean {
  let at = begin;
  while (ADVERBS.has(lowerAt(words, at))) at++;
  const first = words[at];
  if (!first) return false;
  if (first.lower === 'i' || first.lower === 'we') return true;
  const isSubject = SUBJECTS.has(first.lower) || isName(first);
  const next = lowerAt(words, at + 1);
  if (next === "'s" && isShortIs(words, at + 1)) return true;
  if (BE.has(next) && nounSenses(singular(first.lower)).length > 0) return true;
  if (!isSubject) {
    // A finite verb that goes on with the subject from before.
    return (verbOf(first.lower) !== undefined || AUXILIARIES.has(first.lower)) && isFinite(first.lower);
  }
  return words.slice(at + 1, at + 7).some(({ lower }) => isFinite(lower) && verbOf(lower) !== undefined);
}

function isName({ token }: Word): boolean {
  return token.kind === 'word' && /^\p{Lu}/u.test(token.text);
}

function isFinite(word: string): boolean {
  return !word.endsWith('ing') && word !== 'to' && word !== 'be' && word !== 'been';
}
