import type { Expression } from '../arithmetic/expression';
import { chooseWay, termOf } from './choose';
import { foldChanges } from './changes';
import type { Fact } from './fact';
import type { Question } from './question';
import { signsOf } from './signs';
import { isMoney, relate, UNKNOWN } from './units';

/** What is bought is paid for with the first amount. */
const BOUGHT = /\b(?:buy|buys|bought|gets?|got|order\w*)\b/;

/** What others are taken from without a word for it. */
const BUDGET = /\b(?:budget|target|goal|allowance)\b/;

/** What is left of the first amount when the others are taken away from it. */
export function solveRemainder(
  facts: readonly Fact[],
  question: Question,
  isOpposite: boolean,
  isRest: boolean,
): Expression | undefined {
  const signs = signsOf(facts);
  const isWhole = (index: number): boolean =>
    ((signs[index] ?? 0) >= 0 || (isRest && index === 0)) && facts[index]?.unit.per.length === 0;
  const start = facts.findIndex((_, index) => isWhole(index));
  const attempt = (first: number): Expression | undefined => {
    const terms = facts.map((fact, index) => {
      const sign =
        index === first
          ? 1
          : fact.unit.per.length > 0
            ? 0
            : !isOpposite &&
                signs[index] === 1 &&
                index > first &&
                !(isMoney(facts[first]?.unit.of[0] ?? '') && BOUGHT.test(fact.before))
              ? 1
              : -1;
      return termOf(fact, sign);
    });
    const told = first === 0 ? foldChanges(terms, question) : undefined;
    if (told) return told;
    return chooseWay(
      terms,
      question,
      {
        sum: 0.05,
        acrossThings: false,
        isCount: question.isCount && question.unit.of[0] === UNKNOWN,
        per: question.unit.per,
        isApart: false,
      },
      true,
    );
  };
  if (start < 0 || signs.includes(undefined)) return undefined;
  // `it leaks 2 litres an hour … after 16 hours`: how often, and nothing that is taken away.
  const isCounted = (name: string): boolean =>
    facts.some(({ unit }) => unit.per.some((per) => relate(per, name) !== undefined && per !== UNKNOWN));
  const isBudget = BUDGET.test(`${facts[start]?.before ?? ''} ${facts[start]?.after ?? ''}`);
  const isUnsaid = facts.some(
    ({ before, unit }, index) =>
      index !== start &&
      signs[index] === 0 &&
      unit.per.length === 0 &&
      !isCounted(unit.of[0] ?? '') &&
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
