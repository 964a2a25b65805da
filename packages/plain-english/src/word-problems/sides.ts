import { combine, numberOf } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Item } from './items';
import { measureOf, relate, UNKNOWN } from './units';

const AROUND =
  /\b(?:fenc\w+|perimeter|all the way round|around|border|edge|edging|skirting|frame|hedge|ribbon round)\b/;

const READING = /\b(?:meter|odometer|mileage|counter|milometer)\b/;

/** `the meter read 1,482 in May and 1,619 in July`, `from 7.99 to 10.99 a month`: what lies between two of at least three amounts. */
export function joinReadings(facts: readonly Fact[], text: string): readonly Fact[] {
  const [first, second, ...rest] = facts;
  const isFrom = /\bfrom$/.test(first?.before ?? '') && second?.before === 'to';
  if (!first || !second || rest.length === 0 || first.isShare || second.isShare) return facts;
  if (!(isFrom && /\bhow much (?:more|less)\b/.test(text)) && !READING.test(text)) return facts;
  if (relate(first.unit.of[0] ?? '', second.unit.of[0] ?? '')?.ratio !== 1) return facts;
  const [more, less] = first.value > second.value ? [first, second] : [second, first];
  const expression = combine('subtract', more.expression, less.expression);
  return [{ ...second, before: '', value: more.value - less.value, expression }, ...rest];
}

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
    /\b(?:long|wide)\b/.test(first.after) &&
    /\b(?:wide|deep|high|tall|thick)\b/.test(second.after) &&
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
    unit: {
      of: isAround ? [name] : first.unit.of.length > 1 ? [...first.unit.of, name] : [name, name],
      per: [],
    },
    isSingle: false,
    before: first.before,
  };
}
