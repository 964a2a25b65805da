import { combine, scaled } from '../arithmetic/expression';
import { cleanNumber } from '../text/quantity';
import { clausesApart, isBare, isPlain, type Joining, merge, openCost, type Term } from './term';
import { inverse, multiplyUnits, type Unit } from './unit';
import { isMeasure, isMoney, isOpen, relate, UNKNOWN } from './units';

export function product(a: Term, b: Term, joining: Joining): Term | undefined {
  const { unit, ratio, cost, cancelled } = multiplyUnits(a.unit, b.unit);
  // A ratio of two amounts is a result and no factor.
  if ([a, b].some((term) => isBare(term) && !term.isGiven)) return undefined;
  const isTimes = a.unit.of.length === 0 || b.unit.of.length === 0;
  const made = (to: Unit): Pick<Term, 'value' | 'expression' | 'unit'> => ({
    value: a.value * b.value * ratio,
    expression: scaled(
      a.unit.per.length > 0
        ? combine('multiply', b.expression, a.expression)
        : combine('multiply', a.expression, b.expression),
      ratio,
    ),
    unit: to,
  });
  if (cancelled > 0 || (isTimes && (isBare(a) || isBare(b) || a.unit.per.length !== b.unit.per.length)))
    return merge(a, b, made(unit), cost + openCost(cost, joining) + (cancelled > 0 ? 0 : 0.1));
  if (!isPlain(a) || !isPlain(b)) return undefined;
  const names = [a.unit.of[0] ?? '', b.unit.of[0] ?? ''];
  // `40 lengths … the pool is 25 m long`: things counted and what one of them has.
  const [thing, amount] = isMeasure(names[0]) ? [b, a] : [a, b];
  const isCount =
    !isMeasure(thing.unit.of[0]) && thing.unit.of[0] !== UNKNOWN && isMeasure(amount.unit.of[0]);
  if (isCount) return merge(a, b, made(amount.unit), isMoney(amount.unit.of[0]) ? 1.2 : 0.9);
  return names.every(isLength)
    ? merge(a, b, made({ of: [...a.unit.of, ...b.unit.of], per: [] }), 0.2)
    : undefined;
}

export function quotient(a: Term, b: Term, joining: Joining): Term[] {
  if (b.value === 0 || a.unit.of.length === 0 || b.unit.of.length === 0) return [];
  const { unit, ratio, cost, cancelled } = multiplyUnits(a.unit, inverse(b.unit));
  const ways: (Term | undefined)[] = [];
  const value = (a.value / b.value) * ratio;
  const isRatio = unit.of.length === 0 && unit.per.length === 0;
  // A number of times is certain only where both units are said.
  const isCertain = !isRatio || (cost <= 0.1 && ![...a.unit.of, ...b.unit.of].some(isOpen));
  if (cancelled > 0 && isCertain) {
    const expression = combine(
      'divide',
      scaled(a.expression, Math.max(ratio, 1)),
      scaled(b.expression, ratio < 1 ? cleanNumber(1 / ratio) : 1),
    );
    const step = (b.unit.per.length > 0 ? 0.1 : 0.35) + (isRatio && value < 1 ? 0.6 : 0);
    ways.push(merge(a, b, { value, expression, unit }, cost + openCost(cost, joining) + step, a.sign));
  }
  const rate = cancelled === 0 || cost >= 0.2 ? rateCost(a, b, joining) : undefined;
  if (rate !== undefined) {
    const made = {
      value: a.value / b.value,
      expression: combine('divide', a.expression, b.expression),
      unit: { of: a.unit.of, per: [...a.unit.per, ...b.unit.of] },
    };
    ways.push(merge(a, b, made, rate, a.sign));
  }
  return ways.flatMap((way) => way ?? []);
}

/** What has to be assumed for one amount to be for each of the other; undefined where it cannot be. */
function rateCost(a: Term, b: Term, joining: Joining): number | undefined {
  if (!isPlain(b)) return undefined;
  const [name = ''] = b.unit.of;
  // `3 tickets cost 46.50`
  if (isPlain(a)) {
    const apart = Math.min(clausesApart(a, b), 3);
    const isAsked = joining.per.some((other) => (relate(name, other)?.cost ?? 1) <= 0.3);
    const isForMoney = isMoney(name) && isOpen(a.unit.of[0]);
    const open = isForMoney ? 0.4 : name === UNKNOWN ? 0.1 + apart * 0.15 : 0;
    const vague = isOpen(a.unit.of[0]) || isOpen(name) ? openCost(1, joining) : 0;
    return 0.2 + (isAsked ? 0 : apart * 0.12) + open + vague;
  }
  // `340 a year, four people`: so much for each of them a year.
  const isThing = !isMeasure(name) || b.unit.of.every((other) => joining.per.includes(other));
  return a.unit.per.length === 1 && isThing && name !== UNKNOWN ? 0.3 : undefined;
}

const isLength = (name: string): boolean =>
  isMeasure(name) && (relate(name, 'metre') ?? relate(name, 'foot')) !== undefined;
