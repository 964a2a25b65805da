import type { Aliases } from './aliases';
import type { Asked } from './asked';
import type { Clause } from './clause';
import { nearest } from './nearest';
import type { Passage } from './passages';
import { isLightVerb, type Term, type Want } from './terms';
import { BE, verbOf } from './verbs';
import { ASKS_WHO, strangersIn } from './subject-fit';
import { holdsKind } from './wants';
import { LIGHT } from './words';

/** How near a word has to be to stand for one of the question. */
export const MIN_NEAR = 0.6;
/** What a word counts that stands elsewhere than in the clause: in its sentence, and in what was said before. */
const IN_SENTENCE = 0.95;
const BEFORE = [0.75, 0.65];
const MIN_ESSENTIAL = 0.45;
/** The share of a question that an answer has to have; more where nothing else can be checked. */
const MIN_SHARE = 0.6;
const MIN_SHARES: Readonly<Partial<Record<Want, number>>> = {
  what: 0.75,
  manner: 0.7,
  reason: 0.7,
  whether: 0.8,
};
const MIN_SHARE_CHOICE = 0.3;
/** Wants that everything fits, so that a sentence has to have words of the question itself. */
const NEEDS_OWN = new Set<Want>([
  'code',
  'often',
  'age',
  'email',
  'what',
  'whether',
  'manner',
  'reason',
  'person',
]);
/** The word after `which` counts as much as another. */
const KIND_WEIGHT = 1.5;
/** Wants that any words fit, so that nothing says which of them are another value. */
export const OPEN_WANTS = new Set<Want>(['what', 'whether', 'manner', 'reason']);

export interface Coverage {
  /** Weight of the question, of what the passage has of it, and of what the clause itself has. */
  readonly all: number;
  readonly near: number;
  readonly own: number;
  readonly isWhole: boolean;
}

/** How near a term is to the nearest word of each part. */
interface Place {
  readonly term: Term;
  readonly inClause: number;
  readonly inSentence: number;
  readonly before: number;
}

/** How much of a question a clause has; undefined where something is missing that it has to have. */
export function coverage(
  question: Asked,
  passage: Passage,
  clause: Clause,
  aliases: Aliases,
): Coverage | undefined {
  const { want, taste } = question;
  const isStranger = (one: Clause): boolean =>
    !ASKS_WHO.has(want) && strangersIn(question, one, aliases).length > 0;
  const places = placesOf(question, passage, clause, isStranger, aliases);
  if (places.some((place) => isMissing(place, passage, clause, isStranger(clause)))) return undefined;
  const sumOf = (valueOf: (place: Place) => number): number =>
    places.reduce((sum, place) => {
      const value = valueOf(place);
      return sum + (value >= MIN_NEAR ? place.term.weight * value : 0);
    }, 0);
  const own = ({ inClause, inSentence }: Place): number => Math.max(inClause, inSentence);
  const isWhole = places.length > 0 && places.every((place) => own(place) >= MIN_NEAR);
  const weight = question.kind === undefined || taste !== undefined ? 0 : KIND_WEIGHT;
  const isKind =
    weight > 0 &&
    (holdsKind(question, passage.words, isWhole) ||
      passage.before.some(({ words }) => holdsKind(question, words, false)));
  const kind = isKind ? weight : 0;
  const all = sumOf(() => 1) + weight;
  const matched = sumOf((place) => (Math.max(own(place), place.before) >= MIN_NEAR ? 1 : 0)) + kind;
  const min = question.isChoice ? MIN_SHARE_CHOICE : (MIN_SHARES[want] ?? MIN_SHARE);
  if (all > 0 && matched / all < min) return undefined;
  const isUnsaid = places.length > 0 && sumOf(own) + kind === 0;
  if (isUnsaid && (NEEDS_OWN.has(want) || passage.isApart)) return undefined;
  return {
    all,
    near: sumOf((place) => Math.max(own(place), place.before)) + kind,
    own: sumOf((place) => (place.inClause >= MIN_NEAR ? 1 : 0)) + kind,
    isWhole,
  };
}

/** Where the terms are, without the parts of a sentence that tell of somebody else. */
function placesOf(
  { want, terms }: Asked,
  passage: Passage,
  clause: Clause,
  isStranger: (one: Clause) => boolean,
  aliases: Aliases,
): Place[] {
  const apart = passage.clauses.filter((one) => one === clause || (isStranger(one) && !isStranger(clause)));
  const hidden = new Set(apart.flatMap(({ words }) => words));
  const isWhether = want === 'whether';
  const isPointing = clause.words.some(({ lower }) => lower === 'it' || lower === 'them');
  const rest = isWhether && !isPointing ? [] : passage.words.filter((word) => !hidden.has(word));
  // `Dad's is on Friday` goes on with what was said of somebody else.
  const isElliptic = clause.words.some(
    ({ lower }, at) => lower === "'s" && clause.words[at + 1]?.lower === 'is',
  );
  const isNear = ({ clauses, words }: Passage): boolean =>
    isElliptic ||
    !clauses.every(isStranger) ||
    terms.some((term) => term.required && nearest(term, words, aliases) >= MIN_NEAR);
  const before = isWhether ? [] : passage.before.filter(isNear);
  return terms.map((term) => ({
    term,
    inClause: nearest(term, clause.words, aliases),
    inSentence: IN_SENTENCE * nearest(term, rest, aliases),
    before:
      term.required && !passage.pointsToPerson
        ? 0
        : Math.max(0, ...before.map(({ words }, at) => (BEFORE[at] ?? 0) * nearest(term, words, aliases))),
  }));
}

/** Whether a clause lacks a term that its answer has to have. */
function isMissing(
  { term, inClause, inSentence, before }: Place,
  passage: Passage,
  { verb }: Clause,
  isStranger: boolean,
): boolean {
  const own = Math.max(inClause, inSentence);
  if (own >= MIN_NEAR) return term.isHead && inClause < MIN_NEAR;
  if (term.isVerb && !passage.updates && isOtherVerb(verb)) return true;
  return term.required ? isStranger || before < MIN_NEAR : term.essential && before < MIN_ESSENTIAL;
}

/** `lives` says nothing of where somebody works; `is` and `gets` may. */
function isOtherVerb(verb: string | undefined): boolean {
  return (
    verb !== undefined &&
    verbOf(verb) !== undefined &&
    !isLightVerb(verb) &&
    !BE.has(verb) &&
    !LIGHT.has(verb)
  );
}
