import { type Expression, scaled } from '../arithmetic/expression';
import { combineAll } from './combine';
import type { Fact } from './fact';
import { fitOf } from './fit';
import type { Question } from './question';
import { type Joining, type Term } from './term';
import { isMeasure, isTime, UNKNOWN } from './units';
import { wholeQuotient } from './whole-number';

/** Two ways that are nearly as likely, with different results, are no answer. */
const MIN_LEAD = 0.1;
/** What a solution may assume in all. */
const MAX_COST = 0.75;
/** More often things are divided without a rest. */
const REST_COST = 0.15;

export function termOf({ value, expression, unit, clause }: Fact, sign: Term['sign']): Term {
  return {
    value,
    expression,
    unit,
    sign,
    from: clause,
    to: clause,
    cost: 0,
    isDifference: false,
    isGiven: true,
    isSum: false,
  };
}

interface Way {
  readonly expression: Expression;
  readonly value: number;
  readonly cost: number;
}

/** The way that assumes least, where no other one with another result comes near it. */
export function chooseWay(
  terms: readonly Term[],
  question: Question,
  joining: Joining,
  isLeft = false,
): Expression | undefined {
  const ways = combineAll(terms, joining)
    .filter(
      ({ isDifference, isSum, sign }) =>
        (!joining.isApart || isDifference) && !(sign < 0 && (isSum || isLeft)),
    )
    .map((term) => endOf(term, question))
    .flatMap((way) => way ?? [])
    .sort((a, b) => a.cost - b.cost);
  const [first] = ways;
  if (!first || first.cost > MAX_COST || first.value < 0) return undefined;
  const isClear = ways.every(({ value, cost }) => isSame(value, first.value) || cost > first.cost + MIN_LEAD);
  if (!isClear) return undefined;
  return isWhole(first.value, question) ? first.expression : wholeQuotient(first.expression, question.text);
}

const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(a));

const isWhole = (value: number, { isCount }: Question): boolean =>
  !isCount || isSame(value, Math.round(value));

const isCountable = ({ unit: { of, per } }: Question): boolean =>
  per.length === 0 && of[0] !== UNKNOWN && (isTime(of[0] ?? '') || !isMeasure(of[0] ?? ''));

function endOf(term: Term, question: Question): Way | undefined {
  const isOpen = question.unit.of[0] === UNKNOWN && question.unit.per.length === 0;
  const isDifference =
    term.isDifference && isOpen && question.kinds === undefined && term.unit.of.length === 1;
  const fit = fitOf(term.unit, question) ?? (isDifference ? { ratio: 1, cost: 0.3 } : undefined);
  if (!fit) return undefined;
  const value = term.value * fit.ratio;
  return {
    expression: scaled(term.expression, fit.ratio),
    value,
    cost:
      term.cost +
      fit.cost +
      // More often there are several of what is counted than a part of one.
      (Math.abs(value) < 1 && isCountable(question) ? 0.15 : 0) +
      (isWhole(value, question) ? 0 : REST_COST),
  };
}
