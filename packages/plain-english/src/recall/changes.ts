import { verbBases } from '../text/base-forms';
import { wordsTagged } from '../text/lexicon/words';
import { isNumberWord } from '../text/number-words';
import { isCalendarWord } from '../text/temporal';
import type { Asked } from './asked';
import type { Clause } from './clause';
import { MIN_NEAR, OPEN_WANTS } from './coverage';
import type { Found, Lookup } from './lookup';
import { relatedness } from './meanings';
import { nearest } from './nearest';
import type { Passage } from './passages';
import { isCapital, isNameWord } from './persons';
import { ASKS_WHO, fitsQuestion, strangersIn } from './subject-fit';
import { holdsKind, holdsWanted } from './wants';
import { nounSenses, sensesOf } from './wordnet';
import { LIGHT, lowerAt, type Word } from './words';

/** How near a word has to be to one of the earlier statement to be about the same. */
const MIN_SAME = 0.93;
/** Words of a change itself: what else such a statement says is the new value. */
const CHANGE = wordsTagged('change');
/** What people begin with where they take back what they have just said. */
const OPENERS = new Set('no nah nope actually scrap correction'.split(' '));
const POINTERS = new Set(['it', 'that', 'they', 'them', 'one', 'this']);
/** The maximum number of passages between a statement and one that only points to it. */
const MAX_BETWEEN = 2;

/** The newest statement that says nothing but another value of what an answer says: `in the end I set it to 7:10`. */
export function newestOf(lookup: Lookup, answer: Found, passages: readonly Passage[]): Found {
  const { question } = lookup;
  const isKind = question.kind !== undefined && question.taste === undefined;
  let current = answer;
  for (const passage of passages.slice(passages.indexOf(answer.passage) + 1)) {
    if (passage.asks || passage.memory.role !== answer.passage.memory.role) continue;
    const clause = passage.clauses.find(
      (one) =>
        one.open === undefined &&
        !(one.negated || one.closes || one.ended) &&
        fitsQuestion(lookup, one, passage) &&
        (!isKind || holdsKind(question, one.words)) &&
        holdsWanted(lookup, one.words) &&
        saysSame(question, one, passage, current),
    );
    if (clause) current = { ...current, passage, clause, extent: 'clause' };
  }
  return current;
}

function saysSame(
  { terms, past, want }: Asked,
  { words, persons, speaker }: Clause,
  passage: Passage,
  { passage: known, clause }: Found,
): boolean {
  const topic = [...contentOf(known.words).map(({ lower }) => lower), ...terms.map(({ word }) => word)];
  const isKnown = (lower: string): boolean => topic.some((one) => relatedness(one, lower) >= MIN_SAME);
  const names = known.words.map(({ lower }) => lower);
  const isStranger = (lower: string): boolean => !names.includes(lower) && !isKnown(lower);
  const subjects = ASKS_WHO.has(want) ? [] : persons.filter((one) => !POINTERS.has(one));
  const others = NAMED_WANTS.has(want)
    ? subjects
    : words.filter((_, at) => isNameWord(words, at)).map(({ lower }) => lower);
  if (others.some(isStranger)) return false;
  const own = contentOf(words);
  const isPointing = words.some(({ lower }) => POINTERS.has(lower));
  if (speaker === 'user' && clause.speaker !== 'user' && !isPointing) return false;
  if (own.some(({ lower }) => !isKnown(lower)))
    return want === 'code' && isPointing && own.length === 1 && passage.order - known.order === 1;
  if (own.length > 0) return passage.updates || isPointing || !past;
  if (!isPointing) return false;
  const { previous } = passage;
  if (previous?.memory === passage.memory && previous !== known)
    return contentOf(previous.words).some(({ lower }) => isKnown(lower));
  return passage.order - known.order <= MAX_BETWEEN;
}

/** Wants whose values are names. */
const NAMED_WANTS = new Set(['place', 'person', 'name', 'kind', 'code']);

/** What a statement is about: neither its value nor the words of a change. */
function contentOf(words: readonly Word[]): readonly Word[] {
  return words.filter(
    ({ lower, token }, at) =>
      token.kind === 'word' &&
      !LIGHT.has(lower) &&
      !CHANGE.has(lower) &&
      !(at > 0 && isCapital(token.text)) &&
      !isNameWord(words, at) &&
      !isNumberWord(lower) &&
      !isCalendarWord(lower) &&
      nounSenses(lower).length + Math.max(...verbBases(lower).map((base) => sensesOf(base, 'verb').length)) >
        0,
  );
}

/** Whether what is asked for changed later, by a statement that does not say enough to be an answer itself. */
export const isChanged = (lookup: Lookup, { passage: known }: Found, passages: readonly Passage[]): boolean =>
  passages.some(
    (passage) =>
      passage.order > known.order &&
      passage.memory !== known.memory &&
      passage.memory.role === known.memory.role &&
      isChangeOf(lookup, passage, passage.order === known.order + 1),
  );

function isChangeOf(lookup: Lookup, passage: Passage, isNext: boolean): boolean {
  const { question, aliases } = lookup;
  if (passage.asks) return false;
  if (isNext && OPENERS.has(lowerAt(passage.words, 0))) return true;
  const topic = question.terms.filter((term) => (term.essential || term.required) && !term.isOwner);
  const isShared = topic.some((term) => nearest(term, passage.words, aliases) >= MIN_NEAR);
  if (isShared && passage.clauses.some(({ closes, ended }) => closes || ended)) return true;
  if (!holdsWanted(lookup, passage.words)) return false;
  if (passage.updates) return isShared || passage.words.some(({ lower }) => POINTERS.has(lower));
  const isOfOther =
    !ASKS_WHO.has(question.want) && passage.clauses.some((one) => strangersIn(lookup, one).length > 0);
  return !OPEN_WANTS.has(question.want) && isShared && !isOfOther;
}
