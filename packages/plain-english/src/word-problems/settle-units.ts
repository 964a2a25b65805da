import type { Fact } from './fact';
import { isCounted } from './fit';
import type { Question } from './question';
import { AMOUNT, EACH, isMoney, isTime, MONEY, UNKNOWN } from './units';

/** `what do 5 cost`: a number in the question is how many are asked about. */
export function countedIn(fact: Fact, question: Question): Fact {
  const isAsked =
    fact.at > question.from &&
    fact.at <= question.to + 1 &&
    fact.unit.of[0] === UNKNOWN &&
    fact.unit.per.length === 0;
  const isCount = /^(?:have |has )?(?:costs?|weigh|need|take|be)\b|^of them\b/.test(fact.after);
  return isAsked && isCount ? { ...fact, unit: { of: [EACH], per: [] } } : fact;
}

/** Where money is asked for, a number for each thing is a price. */
export function pricedOf(facts: readonly Fact[], question: Question, text: string): Fact[] {
  const isMoneyStory =
    isMoney(question.unit.of[0] ?? '') ||
    /\b(?:tickets?|prices?|fares?|entry|admission|menu)\b/.test(text) ||
    facts.some(({ unit }) => isMoney(unit.of[0] ?? ''));
  return facts.map((fact) => {
    const { of, per } = fact.unit;
    const isBare =
      of.length === 1 && (of[0] === UNKNOWN || of[0] === AMOUNT) && per.every((name) => name !== UNKNOWN);
    const isPrice =
      isBare &&
      (per.some((name) => !isTime(name)) || (of[0] === AMOUNT && isMoney(question.unit.of[0] ?? '')));
    return isMoneyStory && isPrice ? { ...fact, unit: { of: [MONEY], per } } : fact;
  });
}

/** `a coat costs 75` is a rate only where coats are counted; without them it is the amount. */
export function withoutSingles(facts: readonly Fact[], question: Question): Fact[] {
  return facts.map((fact) => {
    const isRate = !fact.isSingle || fact.unit.per.some((name) => isCounted(name, fact, facts, question));
    return isRate ? fact : { ...fact, unit: { of: fact.unit.of, per: [] } };
  });
}
