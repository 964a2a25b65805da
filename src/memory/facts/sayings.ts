import { isDeepStrictEqual } from 'node:util';
import type { RecordedFact, SaidFact, Fact } from '../../contracts/facts';
import { sameValue } from './fold';

/** What a memory says after a change: what was retracted, or corrected, stays so when it is said again. Pure. */
export function keepRetracted(
  before: readonly RecordedFact[],
  saidFacts: readonly SaidFact[],
): RecordedFact[] {
  return saidFacts.map((each) => {
    const { retracted } = before.find((one) => one.retracted !== undefined && states(each, one)) ?? {};
    return retracted === undefined ? each : { ...each, retracted };
  });
}

type Stated = Pick<SaidFact, 'subject' | 'attribute' | 'value'>;

/** Whether a saying states a fact of this value. Pure. */
export function states(saidFact: Stated & { readonly change?: SaidFact['change'] }, fact: Stated): boolean {
  return (
    saidFact.subject === fact.subject &&
    saidFact.attribute === fact.attribute &&
    saidFact.change !== 'ends' &&
    saidFact.change !== 'doubts' &&
    saidFact.value !== null &&
    fact.value !== null &&
    sameValue(saidFact.value, fact.value)
  );
}

/**
 * Whether a memory may say something else than before. The rules tell by the facts that they read, wherever these stand in the text.
 * If they read none, or a model read more than they did, every other text counts as saying something else. Pure.
 */
export function saysOther(
  before: readonly RecordedFact[],
  saidFacts: readonly SaidFact[],
  isOtherText: boolean,
): boolean {
  const byRules = before.filter(({ drawnBy }) => drawnBy === undefined);
  const factsOf = (facts: readonly SaidFact[]) =>
    facts.map(({ subject, attribute, value, change }) => [subject, attribute, value, change]);
  const isReadByRules = saidFacts.length > 0 && byRules.length === before.length;
  return !isDeepStrictEqual(factsOf(byRules), factsOf(saidFacts)) || (isOtherText && !isReadByRules);
}

/** Reads what stands of a memory. @returns undefined if nothing of the text stands */
export type StandingText = (memoryId: string, text: string) => string | undefined;

/** The place of a clause in a memory, and whether what it says holds no more. */
interface Clause {
  readonly start: number;
  readonly end: number;
  readonly ended: boolean;
}

/**
 * Creates the reader that leaves out of memories the clauses that say only what holds no more, so that no answer quotes them. It
 * takes texts as they are stored, because the facts have the places of their clauses. Pure.
 * @param facts those of the user, of any time
 * @param certain whether clauses that say only what is doubted, or that something has ended, are left out too
 * @param at the time at which the clauses stand, epoch milliseconds; default: after all that was said
 */
export function createStandingText(facts: readonly Fact[], certain = false, at = Infinity): StandingText {
  const clausesOf = new Map<string, Clause[]>();
  for (const { validTo = Infinity, doubtedAt = Infinity, sources } of facts) {
    const factEnd = certain ? Math.min(validTo, doubtedAt) : validTo;
    for (const { memoryId, start, end, ends } of sources) {
      // "I left Acme" is so after the employer has ended. Rules could take the value for one that holds.
      const until = ends === undefined || certain ? factEnd : (ends.until ?? Infinity);
      const ended = until !== Infinity && until <= at;
      clausesOf.set(memoryId, [...(clausesOf.get(memoryId) ?? []), { start, end, ended }]);
    }
  }
  return (memoryId, text) => {
    const clauses = clausesOf.get(memoryId);
    return clauses === undefined ? text : withoutEnded(text, clauses);
  };
}

function withoutEnded(text: string, clauses: readonly Clause[]): string | undefined {
  const stands = (start: number, end: number): boolean =>
    clauses.some((other) => !other.ended && other.start < end && other.end > start);
  let left = text;
  for (const { start, end, ended } of [...clauses].sort((one, other) => other.start - one.start))
    if (ended && !stands(start, end)) left = left.slice(0, start) + left.slice(Math.min(end, left.length));
  return /\p{L}/u.test(left) ? left.trim() : undefined;
}
