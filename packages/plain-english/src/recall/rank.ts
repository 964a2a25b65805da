import { spend } from '../allowance';
import { isChanged, newestOf } from './changes';
import type { Clause } from './clause';
import { coverage, MIN_NEAR, OPEN_WANTS } from './coverage';
import type { Asked } from './asked';
import type { Found, Lookup } from './lookup';
import { relatedness } from './meanings';
import type { Passage, Told } from './passages';
import { ASKS_WHO, fitsQuestion, strangersIn } from './subject-fit';
import { AUXILIARIES } from './verbs';
import { holdsWanted } from './wants';
import { conceptOf, hasWord, lowerAt, type Word } from './words';

const WHOLE = 0.1;
const OWN = 0.2;
/** Those that score so little less than the best are as good. */
const TIE = 0.1;
/** A statement of a change is as good where it has every word of the question itself. */
const UPDATE_TIE = 0.4;
/** Of statements that are as good, more than these are not compared with all that was said after them. */
const MAX_FOUND = 24;

/** Work of comparing a word of a sentence with one of the question, for one clause. */
const WORD_COST = 1.5;

/** What answers a question, the best first: of those as good as the best, the newest. */
export function rank(question: Asked, { passages, aliases }: Told): Found[] {
  const asked = new Set(question.terms.map(({ word }) => conceptOf(word)));
  const lookup = { question, asked, aliases };
  const found = passages
    .filter(({ asks }) => !asks)
    .flatMap((passage) => passage.clauses.flatMap((clause) => judge(lookup, passage, clause) ?? []));
  const best = Math.max(...found.map(({ score }) => score));
  return found
    .filter(({ score, passage, isWhole }) => score >= best - (passage.updates && isWhole ? UPDATE_TIE : TIE))
    .sort(
      (left, right) =>
        right.passage.at - left.passage.at ||
        right.passage.order - left.passage.order ||
        right.score - left.score,
    )
    .slice(0, MAX_FOUND)
    .map((one) => (OPEN_WANTS.has(question.want) ? one : newestOf(lookup, one, passages)))
    .filter((one) => question.past || !isChanged(lookup, one, passages));
}

function judge(lookup: Lookup, passage: Passage, clause: Clause): Found | undefined {
  const { question } = lookup;
  spend(WORD_COST * (1 + question.terms.length) * passage.words.length);
  const { open = '' } = clause;
  const isAsked =
    question.open ||
    question.ofAssistant ||
    question.terms.some(({ word }) => relatedness(word, open) >= MIN_NEAR);
  if ((open !== '' && !isAsked) || !fitsQuestion(lookup, clause, passage) || isVague(question, clause))
    return undefined;
  const share = coverage(lookup, passage, clause);
  const extent = extentOf(lookup, passage, clause);
  if (!share || !extent || (share.all > 0 && share.near === 0)) return undefined;
  return {
    passage,
    clause,
    extent,
    denied: isDenied(question, clause),
    isWhole: share.isWhole,
    isMixed: passage.clauses.some((one) => one !== clause && strangersIn(lookup, one).length > 0),
    score:
      (share.all === 0 ? 0.7 : (share.near + OWN * share.own) / share.all) +
      (extent === 'clause' ? WHOLE : 0),
  };
}

/** `what is water` is not answered by what the user did with it; and who quit a job there may have another. */
function isVague({ want, terms, ofUser, mine, verb }: Asked, clause: Clause): boolean {
  const isThing =
    want === 'what' && terms.length === 1 && !ofUser && mine.length === 0 && terms[0]?.required === false;
  const isSameVerb = clause.words.some(
    ({ lower }) => verb !== undefined && conceptOf(lower) === conceptOf(verb),
  );
  return (
    (isThing && clause.speaker === 'user') ||
    (want === 'whether' && clause.closes && verb !== undefined && !isSameVerb && verb !== 'have')
  );
}

function extentOf(lookup: Lookup, passage: Passage, clause: Clause): Found['extent'] | undefined {
  const holds = (words: readonly Word[]): boolean => holdsWanted(lookup, words);
  if (holds(clause.words)) return 'clause';
  const isOther = (one: Clause): boolean =>
    one !== clause && !ASKS_WHO.has(lookup.question.want) && strangersIn(lookup, one).length > 0;
  const others = new Set(passage.clauses.filter(isOther).flatMap(({ words }) => words));
  return holds(passage.words.filter((word) => !others.has(word))) ? 'sentence' : undefined;
}

/** What is denied is no answer but to whether, when and why. */
function isDenied({ want, negated, taste }: Asked, { words, taste: said, negated: denies }: Clause): boolean {
  const isOpposite = negated && said === undefined && !denies && !hasWord(words, 'allergic');
  if (isOpposite && ['person', 'what', 'kind'].includes(want)) return true;
  if (negated || taste === 'dislike' || ['whether', 'reason', 'time', 'manner'].includes(want)) return false;
  if (said === 'dislike') return false;
  const at = words.findIndex(({ lower }) => lower === 'not' || lower === 'never');
  return at > 0 && AUXILIARIES.has(lowerAt(words, at - 1)) && !hasWord(words.slice(at), 'but', ',');
}
