import { combine, scaled } from '../arithmetic/expression';
import { product, quotient } from './products';
import { FAR, isPlain, joinedSign, type Joining, merge, type Term } from './term';
import { clearer, expressIn, type Unit } from './unit';
import { isMeasure, isOpen, UNKNOWN } from './units';

/** Amounts in one calculation; the number of ways grows fast with it. */
export const MAX_TERMS = 7;

/** Ways kept for each set of amounts. */
const MAX_WAYS = 12;

/** Every way to make one amount of all of these by what their units allow, with what each way assumes. */
export function combineAll(terms: readonly Term[], joining: Joining): readonly Term[] {
  const ways: Term[][] = [[]];
  const full = 2 ** terms.length - 1;
  for (let mask = 1; mask <= full; mask++) {
    const single = terms.findIndex((_, index) => mask === 2 ** index);
    const found = single >= 0 ? [terms[single]].flatMap((term) => term ?? []) : [];
    for (let part = (mask - 1) & mask; part > (mask ^ part); part = (part - 1) & mask) {
      for (const a of ways[part] ?? []) {
        for (const b of ways[mask ^ part] ?? []) found.push(...joinTwo(a, b, joining));
      }
    }
    ways.push(cheapest(found));
  }
  return ways[full] ?? [];
}

function cheapest(terms: readonly Term[]): Term[] {
  const best = new Map<string, Term>();
  for (const term of terms) {
    const { value, unit, sign, isDifference } = term;
    const key = `${value.toPrecision(10)} ${unit.of.join(',')}/${unit.per.join(',')} ${sign} ${String(isDifference)}`;
    const known = best.get(key);
    if (!known || term.cost < known.cost) best.set(key, term);
  }
  return [...best.values()].sort((a, b) => a.cost - b.cost).slice(0, MAX_WAYS);
}

function joinTwo(a: Term, b: Term, joining: Joining): Term[] {
  const [first, second] = a.from <= b.from ? [a, b] : [b, a];
  return [
    product(first, second, joining),
    ...quotient(first, second, joining),
    ...quotient(second, first, joining),
    sum(first, second, joining),
    difference(first, second, joining),
  ].flatMap((term) => term ?? []);
}

function sum(a: Term, b: Term, { sum: cost, acrossThings }: Joining): Term | undefined {
  if (cost === undefined || (a.unit.of.length === 0 && b.unit.of.length === 0)) return undefined;
  const same = sameUnit(a.unit, b.unit);
  const areThings = acrossThings && [a, b].every((term) => isPlain(term) && !isMeasure(term.unit.of[0]));
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

function difference(a: Term, b: Term, { isApart }: Joining): Term | undefined {
  if (!isApart || a.isDifference || b.isDifference) return undefined;
  const same = sameUnit(a.unit, b.unit);
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
  const isBareNumber = [a, b].some(({ of, per }) => of.length === 1 && isOpen(of[0]) && per.length === 0);
  const isKnown = [a, b].some(({ of, per }) => (of.length > 1 || per.length > 0) && !of.includes(UNKNOWN));
  if (isBareNumber && isKnown) return { ratio: 1, cost: 0.5 };
  const same = expressIn(a, b);
  return same && isBareNumber ? { ratio: same.ratio, cost: Math.min(same.cost, 0.12) } : same;
}
