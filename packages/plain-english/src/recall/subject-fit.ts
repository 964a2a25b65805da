import { isOnePerson, sameBearer } from './aliases';
import { wordsTagged } from '../text/lexicon/words';
import type { Asked } from './asked';
import type { Clause } from './clause';
import type { Lookup } from './lookup';
import { relatedness } from './meanings';
import type { Passage } from './passages';
import { isRelative } from './persons';
import { BE } from './verbs';
import { antonymsOf, nounSenses } from './wordnet';
import { conceptOf, hasWord, LIGHT, lowerAt, type Word } from './words';

/** How near a word has to be to stand for somebody whom the question names. */
const MIN_NEAR = 0.85;
const PRONOUNS = new Set(['he', 'she', 'they']);
export const ASKS_WHO = new Set(['person', 'name']);

/** Persons in the subject of a clause whom the question does not name. */
export function strangersIn({ question, aliases }: Lookup, { persons }: Clause): readonly string[] {
  const isAsked = (person: string): boolean =>
    question.terms.some(
      ({ word, isOwner }) =>
        !isOwner &&
        (conceptOf(word) === conceptOf(person) ||
          relatedness(word, person) >= MIN_NEAR ||
          sameBearer(aliases, word, person)),
    );
  const asked = persons.filter(isAsked);
  return persons.filter(
    (person) =>
      person !== 'they' && !isAsked(person) && !asked.some((other) => isOnePerson(aliases, person, other)),
  );
}

/** Whether a clause may tell of what the question asks for, and not of another one or of somebody else. */
export function fitsQuestion(lookup: Lookup, clause: Clause, passage: Passage): boolean {
  const { question } = lookup;
  return (
    fitsTaste(question, clause) &&
    fitsSubject(lookup, clause, passage) &&
    (question.isChoice || !isContrary(question.words, clause.words))
  );
}

/** Who asks for what is liked wants nothing that is only had. */
function fitsTaste({ taste, want, kind }: Asked, clause: Clause): boolean {
  if (taste === undefined || want === 'reason' || want === 'manner') return true;
  return want === 'whether'
    ? clause.taste !== undefined
    : clause.taste === taste || (kind !== undefined && want === 'person');
}

/** Whether a clause may tell of whom the question asks for. */
function fitsSubject(lookup: Lookup, clause: Clause, passage: Passage): boolean {
  const { question } = lookup;
  const { words, speaker, verb } = clause;
  if (isOwnedByOther(question, passage.words)) return false;
  const isSameVerb =
    verb !== undefined && question.verb !== undefined && conceptOf(verb) === conceptOf(question.verb);
  // `does Mia owe me` is not answered by `I owe Mia`, nor the other way round.
  if (speaker !== 'other') return !(question.toUser && isSameVerb && speaker === 'user');
  const strangers = strangersIn(lookup, clause);
  if (strangers.length === 0) return true;
  if (question.want === 'whether') return false;
  // `his wife is called Jutta` names the wife.
  if (question.want === 'name' && strangers.some(isRelative) && words.some(({ lower }) => BE.has(lower)))
    return false;
  const isOfMe = hasWord(words, 'me', 'us') && !strangers.some((one) => PRONOUNS.has(one));
  if (ASKS_WHO.has(question.want) || isOfMe) return true;
  if (question.ofUser || question.terms.some(({ required }) => required)) return false;
  return question.mine.every((noun) => isMine(noun, words));
}

function isMine(noun: string, words: readonly Word[]): boolean {
  return words.some(
    ({ lower }, at) =>
      conceptOf(lower) === conceptOf(noun) &&
      hasWord(words.slice(Math.max(0, at - 3), at), 'my', 'our', 'the'),
  );
}

/** The question is about `my house`, and the passage about `my aunt's house`, or `his`. */
function isOwnedByOther({ mine, terms }: Asked, words: readonly Word[]): boolean {
  return mine.some((noun) => {
    const places = words.flatMap(({ lower }, at) => (conceptOf(lower) === conceptOf(noun) ? [at] : []));
    const isOther = (at: number): boolean => {
      const before = words.slice(Math.max(0, at - 3), at).map(({ lower }) => lower);
      const owner = before.lastIndexOf("'s");
      if (owner > 0) return !terms.some(({ word }) => conceptOf(word) === conceptOf(before[owner - 1] ?? ''));
      return ['his', 'her', 'their'].some((one) => before.includes(one));
    };
    return places.length > 0 && places.every(isOther);
  });
}

const POINTING = new Set(['last', 'this', 'next']);
const DAYS = new Set(['yesterday', 'today', 'tonight', 'tomorrow']);
const PERIODS = wordsTagged('periods');

/** Whether what was said is about the other one of two: the left eye, where the right one is asked for, or another room's code. */
function isContrary(asked: readonly Word[], said: readonly Word[]): boolean {
  if (isOfOtherNumber(asked, said)) return true;
  const has = (lower: string): boolean => said.some((word) => word.lower === lower);
  return asked.some(({ lower }, at) => {
    if (DAYS.has(lower) && !has(lower)) return said.some((word) => DAYS.has(word.lower));
    const period = lowerAt(asked, at + 1);
    if (POINTING.has(lower) && PERIODS.has(period)) {
      const pointers = said.filter((_, index) => said[index + 1]?.lower === period).map((one) => one.lower);
      return pointers.some((one) => POINTING.has(one)) && !pointers.includes(lower);
    }
    return lower.length > 3 && !has(lower) && antonymsOf(lower).some(has);
  });
}

/** `The code of room 9`, where that of room 7 is asked for. */
function isOfOtherNumber(asked: readonly Word[], said: readonly Word[]): boolean {
  return asked.some(({ lower, token }, at) => {
    const name = lowerAt(asked, at - 1);
    if (token.kind !== 'number' || LIGHT.has(name) || nounSenses(name).length === 0) return false;
    const isNumbered = (word: Word, index: number): boolean =>
      word.token.kind === 'number' && said[index - 1]?.lower === name;
    const numbers = said.filter(isNumbered).map((word) => word.lower);
    return numbers.length > 0 && !numbers.includes(lower);
  });
}
