import { combine, scaled } from '../arithmetic/expression';
import { FAR, isOpen, isPlain, joinedSign, type Joining, merge, type Term } from './term';
import { clearer, expressIn, type Unit } from './unit';
import { isMeasure, UNKNOWN } from './units';

export function sum(a: Term, b: Term, { sum: cost, acrossThings }: Joining): Term | undefined {
  if (cost === undefined || (a.unit.of.length === 0 && b.unit.of.length === 0)) return undefined;
  const same = sameUnit(a.unit, b.unit);
  const areThings =
    acrossThings && [a, b].every((term) => isPlain(term) && !isMeasure(term.unit.of[0] ?? ''));
  if (!same && !areThings) return undefined;
  const ratio = same?.ratio ?? 1;
  const value = (a.sign < 0 ? -1 : 1) * a.value * ratio + (b.sign < 0 ? -1 : 1) * b.value;
  const unit = same ? clearer(b.unit, ratio === 1 ? a.unit : b.unit) : { of: ['thing'], per: [] };
  const left = scaled(a.expression, ratio);
  const bothLess = a.sign < 0 && b.sign < 0;
  const [first, second] = a.sign < 0 && !bothLess ? [b.expression, left] : [left, b.expression];
  const expression = combine(a.sign < 0 !== b.sign < 0 ? 'subtract' : 'add', first, second);
  const step = cost + (same?.cost ?? 0.1);
  return merge(
    a,
    b,
    { value: bothLess ? -value : value, expression, unit },
    step,
    bothLess ? -1 : 1,
    FAR / 3,
  );
}

export function difference(a: Term, b: Term, { isApart }: Joining): Term | undefined {
  if (!isApart || a.isDifference || b.isDifference) return undefined;
  const areThings = [a, b].every((term) => isPlain(term) && !isMeasure(term.unit.of[0] ?? ''));
  // `how many more bananas than apples`
  const same = sameUnit(a.unit, b.unit) ?? (areThings ? { ratio: 1, cost: 0.3 } : undefined);
  if (!same) return undefined;
  const left = { value: a.value * same.ratio, expression: scaled(a.expression, same.ratio) };
  const [more, less] = left.value >= b.value ? [left, b] : [b, left];
  const made = {
    value: more.value - less.value,
    expression: combine('subtract', more.expression, less.expression),
    unit: clearer(b.unit, same.ratio === 1 ? a.unit : b.unit),
  };
  const merged = merge(a, b, made, same.cost, joinedSign(a, b), FAR / 3);
  return merged && { ...merged, isDifference: true };
}

/** An amount without a unit has that of the other one: `420 kWh a year and the new one 165`. */
function sameUnit(a: Unit, b: Unit): { readonly ratio: number; readonly cost: number } | undefined {
  const isBareNumber = [a, b].some(
    ({ of, per }) => of.length === 1 && isOpen(of[0] ?? '') && per.length === 0,
  );
  const isKnown = [a, b].some(({ of, per }) => (of.length > 1 || per.length > 0) && !of.includes(UNKNOWN));
  if (isBareNumber && isKnown) return { ratio: 1, cost: 0.5 };
  const same = expressIn(a, b);
  return same && isBareNumber ? { ratio: same.ratio, cost: Math.min(same.cost, 0.12) } : same;
}
