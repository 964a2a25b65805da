import { combine, type Expression, foldAll, numberOf } from '../arithmetic/expression';
import { isKindOf } from '../recall/kinds';
import type { Fact } from './fact';
import type { Question } from './question';
import { AMOUNT, isMoney, isTime, UNKNOWN } from './units';

/** The mean of amounts of one unit; how many they are may be said as well. */
export function solveAverage(facts: readonly Fact[], question: Question): Expression | undefined {
  if (
    !/\b(?:average|mean)\b/.test(question.text) ||
    /\b(?:to|an) (?:average|mean)\b/.test(question.text) ||
    facts.some(({ isShare, isSingle, unit }) => isShare || (unit.per.length > 0 && !isSingle))
  )
    return undefined;
  const amounts = facts.filter(
    ({ value, unit }) =>
      !(
        value === facts.length - 1 &&
        unit.of[0] !== UNKNOWN &&
        facts.length > 2 &&
        !isMoney(unit.of[0] ?? '')
      ),
  );
  const names = new Set(
    amounts.map(({ unit }) => unit.of.join(' ')).filter((name) => name !== UNKNOWN && name !== AMOUNT),
  );
  if (amounts.length < 2 || names.size > 1) return undefined;
  const sum = foldAll(
    'add',
    amounts.map(({ expression }) => expression),
  );
  return sum && combine('divide', sum, numberOf(amounts.length));
}

const WORKERS = ['person', 'machine', 'pump', 'tap', 'printer'];

/** More workers need less time for the same work. */
export function solveWork(
  facts: readonly Fact[],
  { unit, kinds }: Question,
  text: string,
): Expression | undefined {
  const [first, second, third] = facts;
  if (
    facts.length !== 3 ||
    !first ||
    !second ||
    !third ||
    !(isTime(unit.of[0] ?? '') || kinds?.includes('hour') === true) ||
    !/\b(?:need|take|last|takes|finish|needs)\b/.test(text)
  )
    return undefined;
  const isCount = ({ unit: own, after }: Fact): boolean =>
    own.per.length === 0 &&
    own.of.length === 1 &&
    WORKERS.some((kind) => isKindOf(after.split(' ')[0] ?? '', kind));
  const [workers, time] = isCount(first) ? [first, second] : [second, first];
  if (
    !isCount(workers) ||
    !isCount(third) ||
    !isTime(time.unit.of[0] ?? '') ||
    first.clause !== second.clause
  )
    return undefined;
  const isSame = workers.unit.of[0] === third.unit.of[0];
  return isSame
    ? combine('divide', combine('multiply', workers.expression, time.expression), third.expression)
    : undefined;
}
