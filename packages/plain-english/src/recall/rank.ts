import type { Found } from './found';
import { textOf, type Passage, type Told } from './passages';
import type { Aliases } from './aliases';
import { type Asked } from './asked';
import { isContrary } from './contrast';
import { relatedness } from './meanings';
import type { Clause } from './clause';
import { ASKS_WHO, fitsSubject, strangersIn } from './subject-fit';
import { isChangeOf, newestOf } from './changes';
import { coverage, MIN_NEAR, OPEN_WANTS } from './coverage';
import { AUXILIARIES } from './verbs';
import { holdsKind, holdsWanted } from './wants';
import { conceptOf, type Word } from './words';

const WHOLE = 0.1;
const OWN = 0.2;
/** Those that score so little less than the best are as good. */
const TIE = 0.1;
/** A statement of a change is as good where it has every word of the question itself. */
const UPDATE_TIE = 0.4;
/** Of statements that are as good, more than these are not compared with all that was said after them. */
const MAX_FOUND = 24;

/** What answers a question, the best first: of those as good as the best, the newest. */
export function rank(question: Asked, { passages, aliases }: Told): Found[] {
  const asked = new Set(question.terms.map(({ word }) => conceptOf(word)));
  const found = passages
    .filter(({ asks }) => !asks)
    .flatMap((passage) => passage.clauses.map((clause) => judge(question, asked, passage, clause, aliases)))
    .filter((one) => one !== undefined);
  const best = Math.max(...found.map(({ score }) => score));
  const holds = (passage: Passage, clause: Clause): boolean =>
    fitsTaste(question, clause) &&
    !isContrary(question.words, clause.words) &&
    fitsSubject(question, clause, passage, strangersIn(question, clause, aliases)) &&
    (question.kind === undefined || question.taste !== undefined || holdsKind(question, clause.words)) &&
    holdsWanted(question, clause.words, textOf(passage, clause.words), asked);
  const isChanged = (one: Found): boolean =>
    !question.past &&
    passages.some(
      (passage) =>
        passage.order > one.passage.order &&
        passage.memory !== one.passage.memory &&
        passage.memory.role === one.passage.memory.role &&
        isChangeOf(
          question,
          passage,
          {
            holds: holdsWanted(question, passage.words, textOf(passage, passage.words), asked),
            isNext: passage.order === one.passage.order + 1,
          },
          aliases,
        ),
    );
  const isFixed = OPEN_WANTS.has(question.want);
  return found
    .filter(({ score, passage, isWhole }) => score >= best - (passage.updates && isWhole ? UPDATE_TIE : TIE))
    .sort(
      (left, right) =>
        right.passage.at - left.passage.at ||
        right.passage.order - left.passage.order ||
        right.score - left.score,
    )
    .slice(0, MAX_FOUND)
    .map((one) => (isFixed ? one : newestOf(question, one, passages, holds)))
    .filter((one) => !isChanged(one));
}

function judge(
  question: Asked,
  asked: ReadonlySet<string>,
  passage: Passage,
  clause: Clause,
  aliases: Aliases,
): Found | undefined {
  if (
    clause.open &&
    !question.open &&
    !question.ofAssistant &&
    !question.terms.some(({ word }) => relatedness(word, clause.open ?? '') >= MIN_NEAR)
  )
    return undefined;
  const strangers = strangersIn(question, clause, aliases);
  if (!fitsTaste(question, clause) || !fitsSubject(question, clause, passage, strangers)) return undefined;
  if (isVague(question, clause) || (!question.isChoice && isContrary(question.words, clause.words)))
    return undefined;
  const share = coverage(question, passage, clause, aliases);
  const extent = extentOf(question, asked, passage, clause, aliases);
  if (share === undefined || extent === undefined) return undefined;
  if (share.all > 0 && share.near === 0) return undefined;
  return {
    passage,
    clause,
    extent,
    denied: isDenied(question, clause),
    isWhole: share.isWhole,
    isMixed: passage.clauses.some((one) => one !== clause && strangersIn(question, one, aliases).length > 0),
    score:
      (share.all === 0 ? 0.7 : share.near / share.all) +
      (extent === 'clause' ? WHOLE : 0) +
      (share.all === 0 ? 0 : (OWN * share.own) / share.all),
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

function extentOf(
  question: Asked,
  asked: ReadonlySet<string>,
  passage: Passage,
  clause: Clause,
  aliases: Aliases,
): Found['extent'] | undefined {
  const holds = (words: readonly Word[]): boolean =>
    holdsWanted(question, words, textOf(passage, words), asked);
  if (holds(clause.words)) return 'clause';
  const isOther = (one: Clause): boolean =>
    one !== clause && !ASKS_WHO.has(question.want) && strangersIn(question, one, aliases).length > 0;
  const others = new Set(passage.clauses.filter(isOther).flatMap(({ words }) => words));
  if (holds(passage.words.filter((word) => !others.has(word)))) return 'sentence';
  return undefined;
}

/** Who asks for what is liked wants nothing that is only had. */
function fitsTaste({ taste, want, kind }: Asked, clause: Clause): boolean {
  if (taste === undefined || want === 'reason' || want === 'manner') return true;
  return want === 'whether'
    ? clause.taste !== undefined
    : clause.taste === taste || (kind !== undefined && want === 'person');
}

/** What is denied is no answer but to whether, when and why. */
function isDenied({ want, negated, taste }: Asked, clause: Clause): boolean {
  const { words, taste: said } = clause;
  const isOpposite =
    negated && said === undefined && !clause.negated && !words.some(({ lower }) => lower === 'allergic');
  if (isOpposite && ['person', 'what', 'kind'].includes(want)) return true;
  if (negated || taste === 'dislike' || ['whether', 'reason', 'time', 'manner'].includes(want)) return false;
  if (said === 'dislike') return false;
  const at = words.findIndex(({ lower }) => lower === 'not' || lower === 'never');
  return (
    at > 0 &&
    AUXILIARIES.has(words[at - 1]?.lower ?? '') &&
    !words.slice(at).some(({ lower }) => lower === 'but' || lower === ',')
  );
}
