import { isDeepStrictEqual } from 'node:util';
import type { RecordedFact, SaidFact } from '../../contracts/facts';
import { sameValue } from './fold';

/** What a memory says after a change: what was retracted, or corrected, stays so when it is said again. Pure. */
export function keepRetracted(before: readonly RecordedFact[], said: readonly SaidFact[]): RecordedFact[] {
  return said.map((each) => {
    const { retracted } = before.find((one) => one.retracted !== undefined && states(each, one)) ?? {};
    return retracted === undefined ? each : { ...each, retracted };
  });
}

type Stated = Pick<SaidFact, 'subject' | 'attribute' | 'value'>;

/** Whether a saying states a fact of this value. Pure. */
export function states(said: Stated & { readonly change?: SaidFact['change'] }, fact: Stated): boolean {
  return (
    said.subject === fact.subject &&
    said.attribute === fact.attribute &&
    said.change !== 'ends' &&
    said.change !== 'doubts' &&
    said.value !== null &&
    fact.value !== null &&
    sameValue(said.value, fact.value)
  );
}

/**
 * Whether a memory may say something else than before. The rules tell by the facts that they read, wherever these stand in the text.
 * If they read none, or a model read more than they did, every other text counts as saying something else. Pure.
 */
export function saysOther(
  before: readonly RecordedFact[],
  said: readonly SaidFact[],
  isOtherText: boolean,
): boolean {
  const byRules = before.filter(({ drawnBy }) => drawnBy === undefined);
  const factsOf = (facts: readonly SaidFact[]) =>
    facts.map(({ subject, attribute, value, change }) => [subject, attribute, value, change]);
  const isReadByRules = said.length > 0 && byRules.length === before.length;
  return !isDeepStrictEqual(factsOf(byRules), factsOf(said)) || (isOtherText && !isReadByRules);
}
