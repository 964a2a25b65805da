import { combine, type Expression, foldAll, numberOf } from '../arithmetic/expression';
import { isKindOf } from '../recall/kinds';
import type { Fact } from './fact';
import type { Story } from './question';
import { isMoney, isOpen, isTime, UNKNOWN } from './units';

/** The mean of amounts of one unit; how many they are may be said as well. */
export function solveAverage({ facts, question }: Story): Expression | undefined {
  if (
    !/\b(?:average|mean)\b/.test(question.text) ||
    /\b(?:to|an) (?:average|mean)\b/.test(question.text) ||
    facts.some(({ isShare, isSingle, unit }) => isShare || (unit.per.length > 0 && !isSingle))
  )
    return undefined;
  const amounts = facts.filter(
    ({ value, unit }) =>
      !(value === facts.length - 1 && unit.of[0] !== UNKNOWN && facts.length > 2 && !isMoney(unit.of[0])),
  );
  const names = new Set(amounts.map(({ unit }) => unit.of.join(' ')).filter((name) => !isOpen(name)));
  if (amounts.length < 2 || names.size > 1) return undefined;
  const sum = foldAll(
    'add',
    amounts.map(({ expression }) => expression),
  );
  return sum && combine('divide', sum, numberOf(amounts.length));
}

const WORKERS = ['person', 'machine', 'pump', 'tap', 'printer'];

const isWorkers = ({ unit, after }: Fact): boolean =>
  unit.per.length === 0 &&
  unit.of.length === 1 &&
  WORKERS.some((kind) => isKindOf(after.split(' ')[0] ?? '', kind));

/** More workers need less time for the same work. */
export function solveWork({ facts, question: { unit, kinds }, text }: Story): Expression | undefined {
  const [first, second, third] = facts;
  const asksTime = isTime(unit.of[0]) || kinds?.includes('hour') === true;
  if (!first || !second || !third || facts.length > 3 || !asksTime) return undefined;
  if (!/\b(?:need|take|last|takes|finish|needs)\b/.test(text) || first.clause !== second.clause)
    return undefined;
  const [workers, time] = isWorkers(first) ? [first, second] : [second, first];
  const areSame = isWorkers(workers) && isWorkers(third) && workers.unit.of[0] === third.unit.of[0];
  return areSame && isTime(time.unit.of[0])
    ? combine('divide', combine('multiply', workers.expression, time.expression), third.expression)
    : undefined;
}
