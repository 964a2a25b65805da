import { combine, evaluate, type Expression, numberOf, scaled } from '../arithmetic/expression';
import { cleanNumber } from '../text/quantity';
import { combineAll } from './combine';
import type { Fact } from './fact';
import type { Question } from './question';
import { isPlain, type Joining, type Term } from './term';
import { expressIn, type Unit } from './unit';
import { convertLength, EACH, isMeasure, isTime, relate, UNKNOWN } from './units';

/** Two ways that are nearly as likely, with different results, are no answer. */
const MIN_LEAD = 0.1;
/** What a solution may assume in all. */
const MAX_COST = 0.75;
/** More often things are divided without a rest. */
const REST_COST = 0.15;

export function termOf({ value, expression, unit, clause }: Fact, sign: Term['sign'] = 0): Term {
  const made = { cost: 0, isDifference: false, isGiven: true, isSum: false };
  return { value, expression, unit, sign, from: clause, to: clause, ...made };
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
  { isLeft = false, ...rest }: Partial<Joining> & { readonly isLeft?: boolean } = {},
): Expression | undefined {
  const { unit, isCount } = question;
  const joining: Joining = {
    acrossThings: false,
    isApart: false,
    isCount: isCount && unit.of[0] === UNKNOWN,
    per: unit.per,
    ...rest,
  };
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
  per.length === 0 && of[0] !== UNKNOWN && (isTime(of[0]) || !isMeasure(of[0]));

function endOf(term: Term, question: Question): Way | undefined {
  const fit = fitOf(term.unit, question);
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

/** What has to be assumed for an amount of this unit to be the answer, and how it is expressed in the unit asked for. */
function fitOf(unit: Unit, question: Question): { ratio: number; cost: number } | undefined {
  const { of, per } = question.unit;
  if (unit.of.length !== of.length && !((of[0] === UNKNOWN || of[0] === EACH) && unit.of.length === 0))
    return undefined;
  if (unit.of.length === 0 && of[0] === UNKNOWN && !/\bhow many\b/.test(question.text)) return undefined;
  if (unit.per.length > 0 !== per.length > 0 && !(per.length > 0 && isTime(per[0]))) return undefined;
  let [ratio, cost] = [1, 0];
  const kinds = question.kinds;
  if (kinds) {
    if (!kinds.some((kind) => relate(unit.of[0], kind))) return undefined;
  } else {
    const whole = unit.per.length === 0 ? convertLength(unit.of[0], of[0]) : undefined;
    const above =
      matchAll(unit.of, of, question.isCount) ??
      (whole === undefined ? undefined : { ratio: whole, cost: 0.15 });
    if (!above) return undefined;
    [ratio, cost] = [above.ratio, above.cost];
  }
  if (unit.per.length === 0) return per.length === 0 ? { ratio, cost } : undefined;
  const periods = unit.per.length > per.length ? unit.per.filter((name) => !isTime(name)) : unit.per;
  const below = matchAll(periods, per);
  return below && { ratio: ratio / below.ratio, cost: cost + below.cost };
}

function matchAll(
  from: readonly string[],
  to: readonly string[],
  isCount = false,
): { ratio: number; cost: number } | undefined {
  if (from.length === 0) return { ratio: 1, cost: isCount ? 0.1 : 0.4 };
  if (from.length !== to.length) return undefined;
  let [ratio, cost] = [1, 0];
  for (const [index, name] of from.entries()) {
    const relation = relate(name, to[index]);
    if (!relation) return undefined;
    ratio *= relation.ratio;
    cost += relation.cost / 2;
  }
  return { ratio, cost };
}

/**
 * An amount and what is added to it and taken from it, each as the story says. However many there are, nothing has to be
 * assumed; undefined where the units differ or less than nothing would be left.
 */
export function foldChanges(terms: readonly Term[], question: Question): Expression | undefined {
  const [first, ...rest] = terms;
  if (!first || rest.length < 2 || first.sign < 0 || !isPlain(first)) return undefined;
  if (question.unit.of[0] !== UNKNOWN && fitOf(first.unit, question)?.ratio !== 1) return undefined;
  let result = first.expression;
  for (const { unit, sign, expression } of rest) {
    const same = expressIn(unit, first.unit);
    if (!same || sign === 0) return undefined;
    result = combine(sign < 0 ? 'subtract' : 'add', result, scaled(expression, same.ratio));
  }
  return (evaluate(result) ?? -1) < 0 ? undefined : result;
}

const EXACT_UP = /\b(?:fewest|minimum|least|smallest)\b/;
const EXACT_DOWN = /\b(?:full|fully|complete|completely|whole|entire|most|maximum|largest|greatest|max)\b/;
/** `how many full bags must I buy`: none of what is needed is left out. */
const WANTED = /\b(?:must|need|have to|has to)\b/;
const NEEDED =
  /\b(?:need\w*|buy|book|order|must|have to|has to|required?|requires|should|takes?|rent|hire|get through|enough|trips|runs)\b/;
const POSSIBLE = /\b(?:fits?|can|could|makes?|cut|get|gets|fill\w*|hold|afford|possible|may|room|carry)\b/;

/** The quotient as whole things: as many as are needed, or as many as there is enough for; undefined where neither is said. */
function wholeQuotient(expression: Expression, asked: string): Expression | undefined {
  if (expression.kind !== 'operation' || expression.operation !== 'divide') return undefined;
  const [a, b] = [evaluate(expression.a), evaluate(expression.b)];
  const isUp = roundsUp(asked);
  if (a === undefined || b === undefined || isUp === undefined || b <= 0) return undefined;
  const rest = cleanNumber(a - Math.floor(cleanNumber(a / b)) * b);
  const whole = isUp
    ? combine('add', expression.a, numberOf(cleanNumber(b - rest)))
    : combine('subtract', expression.a, numberOf(rest));
  return combine('divide', whole, expression.b);
}

function roundsUp(asked: string): boolean | undefined {
  if (EXACT_UP.test(asked) || (WANTED.test(asked) && !/\b(?:most|max\w*|largest|greatest)\b/.test(asked)))
    return true;
  if (EXACT_DOWN.test(asked)) return false;
  if (NEEDED.test(asked)) return true;
  return POSSIBLE.test(asked) ? false : undefined;
}
