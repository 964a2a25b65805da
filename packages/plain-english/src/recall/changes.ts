import { isCalendarWord } from '../text/temporal';
import type { Asked } from './asked';
import { nounSenses, sensesOf } from './wordnet';
import { verbBases } from '../text/base-forms';
import { relatedness } from './meanings';
import { nearest } from './nearest';
import { MIN_NEAR, OPEN_WANTS } from './coverage';
import type { Aliases } from './aliases';
import { isCapital, isNameWord } from './persons';
import { isNumberWord } from '../text/number-words';
import type { Clause } from './clause';
import type { Passage } from './passages';
import type { Found } from './found';
import { ASKS_WHO, strangersIn } from './subject-fit';
import { LIGHT, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

/** How near a word has to be to one of the earlier statement to be about the same. */
const MIN_SAME = 0.93;
/** Words of a change itself: what else such a statement says is the new value. */
const CHANGE = wordsTagged('change');
/** What people begin with where they take back what they have just said. */
const OPENERS = new Set('no nah nope actually scrap correction'.split(' '));
const POINTERS = new Set(['it', 'that', 'they', 'them', 'one', 'this']);
/** The maximum number of passages between a statement and one that only points to it. */
const MAX_BETWEEN = 2;

/**
 * The newest statement that says nothing but another value of what an answer says: `in the end I set it to 7:10`. `holds` is
 * whether a clause has what is wanted.
 */
export function newestOf(
  question: Asked,
  answer: Found,
  passages: readonly Passage[],
  holds: (passage: Passage, clause: Clause) => boolean,
): Found {
  let current = answer;
  for (const passage of passages.slice(passages.indexOf(answer.passage) + 1)) {
    if (passage.asks || passage.memory.role !== answer.passage.memory.role) continue;
    const clause = passage.clauses.find(
      (one) =>
        !one.open &&
        !one.negated &&
        !one.closes &&
        !one.ended &&
        holds(passage, one) &&
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

/** A later change of what is asked for, which does not say enough to be an answer itself: what was said before may not hold. */
export function isChangeOf(
  question: Asked,
  passage: Passage,
  { holds, isNext }: { readonly holds: boolean; readonly isNext: boolean },
  aliases: Aliases,
): boolean {
  if (passage.asks) return false;
  if (isNext && OPENERS.has(passage.words[0]?.lower ?? '')) return true;
  const topic = question.terms.filter((term) => (term.essential || term.required) && !term.isOwner);
  const shared = topic.filter((term) => nearest(term, passage.words, aliases) >= MIN_NEAR).length;
  if (shared > 0 && passage.clauses.some(({ closes, ended }) => closes || ended)) return true;
  if (!holds) return false;
  const isPointing = passage.words.some(({ lower }) => POINTERS.has(lower));
  if (passage.updates) return shared > 0 || isPointing;
  const isOfOther =
    !ASKS_WHO.has(question.want) &&
    passage.clauses.some((clause) => strangersIn(question, clause, aliases).length > 0);
  return !OPEN_WANTS.has(question.want) && shared > 0 && !isOfOther;
}
