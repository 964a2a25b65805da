import { combine, numberOf } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Item } from './items';
import { measureOf, relate, UNKNOWN } from './units';

const AROUND =
  /\b(?:fenc\w+|perimeter|all the way round|around|border|edge|edging|skirting|frame|hedge|ribbon round)\b/;

/** `12 by 8 metres` is an area, or the way around it where a fence is asked for. */
export function joinSides(facts: readonly Fact[], items: readonly Item[], text: string): Fact[] {
  const joined: Fact[] = [];
  for (const fact of facts) {
    const previous = joined.at(-1);
    const area = previous && sidesOf(previous, fact, items, AROUND.test(text));
    if (area) joined[joined.length - 1] = area;
    else joined.push(fact);
  }
  return joined;
}

function sidesOf(first: Fact, second: Fact, items: readonly Item[], isAround: boolean): Fact | undefined {
  const between = items.slice(first.at + 1, second.at).map(({ text }) => text);
  const joint = between.at(-1) ?? '';
  // `60 m long and 45 m wide`
  const areNamed =
    /\blong$/.test(first.after) &&
    /\b(?:wide|deep|high)$/.test(second.after) &&
    first.clause + 1 >= second.clause;
  const areJoined = /^(?:by|x|×|\*)$/.test(joint) && between.length <= 2;
  if ((!areJoined && !areNamed) || first.isShare || second.isShare) return undefined;
  const name = second.unit.of[0] ?? UNKNOWN;
  if (measureOf(name) === undefined || (!relate(name, 'metre') && !relate(name, 'foot'))) return undefined;
  const value = isAround ? 2 * (first.value + second.value) : first.value * second.value;
  const expression = isAround
    ? combine('multiply', numberOf(2), combine('add', first.expression, second.expression))
    : combine('multiply', first.expression, second.expression);
  return {
    ...second,
    value,
    expression,
    unit: { of: isAround ? [name] : [name, name], per: [] },
    isSingle: false,
    before: first.before,
  };
}
