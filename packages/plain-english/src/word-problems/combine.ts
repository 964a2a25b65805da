import { product, quotient } from './products';
import { difference, sum } from './sums';
import type { Joining, Term } from './term';

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
