import type { Expression } from '../arithmetic/expression';
import { chooseWay, foldChanges, termOf } from './choose';
import type { Story } from './question';
import { signsOf } from './signs';
import { isMoney, relate, UNKNOWN } from './units';

/** What is bought is paid for with the first amount. */
const BOUGHT = /\b(?:buy|buys|bought|gets?|got|order\w*)\b/;

/** What others are taken from without a word for it. */
const BUDGET = /\b(?:budget|target|goal|allowance)\b/;

/** What is left of the first amount when the others are taken away from it. */
export function solveRemainder(
  { facts, question }: Story,
  isOpposite: boolean,
  isRest: boolean,
): Expression | undefined {
  const signs = signsOf(facts);
  const isWhole = (index: number): boolean =>
    ((signs[index] ?? 0) >= 0 || isRest) && facts[index]?.unit.per.length === 0;
  const start = facts.findIndex((_, index) => isWhole(index));
  if (start < 0 || signs.includes(undefined)) return undefined;
  const attempt = (first: number): Expression | undefined => {
    const ofMoney = isMoney(facts[first]?.unit.of[0]);
    const terms = facts.map((fact, index) => {
      if (index !== first && fact.unit.per.length > 0) return termOf(fact);
      const isGain =
        !isOpposite && signs[index] === 1 && index > first && !(ofMoney && BOUGHT.test(fact.before));
      return termOf(fact, index === first || isGain ? 1 : -1);
    });
    const folded = first === 0 ? foldChanges(terms, question) : undefined;
    return folded ?? chooseWay(terms, question, { sum: 0.05, isLeft: true });
  };
  // `it leaks 2 litres an hour … after 16 hours`: how often, and nothing that is taken away.
  const isCounted = (name: string | undefined): boolean =>
    facts.some(({ unit }) => unit.per.some((per) => relate(per, name) !== undefined && per !== UNKNOWN));
  const isBudget = BUDGET.test(`${facts[start]?.before ?? ''} ${facts[start]?.after ?? ''}`);
  const isUnsaid = facts.some(
    ({ before, unit }, index) =>
      index !== start &&
      signs[index] === 0 &&
      unit.per.length === 0 &&
      !isCounted(unit.of[0]) &&
      !/\bof(?: the| my| our)?$/.test(before),
  );
  if (!isRest && !isBudget && isUnsaid && !/\bto go\b/.test(question.text)) return undefined;
  const found = attempt(start);
  if (found) return found;
  const largest = facts.reduce(
    (top, fact, index) => (fact.value > (facts[top]?.value ?? 0) ? index : top),
    0,
  );
  return largest !== start && isWhole(largest) ? attempt(largest) : undefined;
}
