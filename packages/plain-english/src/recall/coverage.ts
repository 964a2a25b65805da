import type { Clause } from './clause';
import type { Lookup } from './lookup';
import { nearest } from './nearest';
import type { Passage } from './passages';
import { isLightVerb, type Term, type Want } from './terms';
import { BE, verbOf } from './verbs';
import { ASKS_WHO, strangersIn } from './subject-fit';
import { holdsKind } from './wants';
import { hasWord, LIGHT, plainText, type Word } from './words';

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
  /** In the clause or elsewhere in its sentence. */
  readonly own: number;
  readonly before: number;
}

/** How much of a question a clause has; undefined where something is missing that it has to have. */
export function coverage(lookup: Lookup, passage: Passage, clause: Clause): Coverage | undefined {
  const { question } = lookup;
  const { want, taste } = question;
  const isStranger = (one: Clause): boolean => !ASKS_WHO.has(want) && strangersIn(lookup, one).length > 0;
  const places = placesOf(lookup, passage, clause, isStranger);
  if (places.some((place) => isMissing(place, passage, clause, isStranger(clause)))) return undefined;
  const sumOf = (valueOf: (place: Place) => number): number =>
    places.reduce((sum, place) => {
      const value = valueOf(place);
      return sum + (value >= MIN_NEAR ? place.term.weight * value : 0);
    }, 0);
  const isWhole = places.length > 0 && places.every(({ own }) => own >= MIN_NEAR);
  const weight = question.kind === undefined || taste !== undefined ? 0 : KIND_WEIGHT;
  const isKind =
    weight > 0 &&
    (holdsKind(question, passage.words, isWhole) ||
      passage.before.some(({ words }) => holdsKind(question, words, false)));
  const kind = isKind ? weight : 0;
  const all = sumOf(() => 1) + weight;
  const matched = sumOf(({ own, before }) => (Math.max(own, before) >= MIN_NEAR ? 1 : 0)) + kind;
  const min = question.isChoice ? MIN_SHARE_CHOICE : (MIN_SHARES[want] ?? MIN_SHARE);
  if (all > 0 && matched / all < min) return undefined;
  const isUnsaid = places.length > 0 && sumOf(({ own }) => own) + kind === 0;
  if (isUnsaid && (NEEDS_OWN.has(want) || passage.isApart)) return undefined;
  return {
    all,
    near: sumOf(({ own, before }) => Math.max(own, before)) + kind,
    own: sumOf(({ inClause }) => (inClause >= MIN_NEAR ? 1 : 0)) + kind,
    isWhole,
  };
}

/** Where the terms are, without the parts of a sentence that tell of somebody else. */
function placesOf(
  { question: { want, terms }, aliases }: Lookup,
  passage: Passage,
  clause: Clause,
  isStranger: (one: Clause) => boolean,
): Place[] {
  const apart = passage.clauses.filter((one) => one === clause || (isStranger(one) && !isStranger(clause)));
  const hidden = new Set(apart.flatMap(({ words }) => words));
  const isWhether = want === 'whether';
  const isPointing = hasWord(clause.words, 'it', 'them');
  const rest = isWhether && !isPointing ? [] : passage.words.filter((word) => !hidden.has(word));
  // `Dad's is on Friday` goes on with what was said of somebody else.
  const isElliptic = plainText(clause.words).includes(" 's is");
  const isNear = ({ clauses, words }: Passage): boolean =>
    isElliptic ||
    !clauses.every(isStranger) ||
    terms.some((term) => term.required && nearest(term, words, aliases) >= MIN_NEAR);
  const before = isWhether ? [] : passage.before.filter(isNear);
  return terms.map((term) => {
    const near = (words: readonly Word[]): number => nearest(term, words, aliases);
    const inClause = near(clause.words);
    const isOpen = !term.required || passage.pointsToPerson;
    const said = isOpen ? before.map(({ words }, at) => (BEFORE[at] ?? 0) * near(words)) : [];
    return {
      term,
      inClause,
      own: Math.max(inClause, IN_SENTENCE * near(rest)),
      before: Math.max(0, ...said),
    };
  });
}

/** Whether a clause lacks a term that its answer has to have. */
function isMissing(
  { term, inClause, own, before }: Place,
  passage: Passage,
  { verb }: Clause,
  isStranger: boolean,
): boolean {
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
