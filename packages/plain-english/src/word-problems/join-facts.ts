import { combine, numberOf, scaled } from '../arithmetic/expression';
import { cleanNumber } from '../text/quantity';
import type { Fact } from './fact';
import type { Item } from './items';
import { measureOf, relate } from './units';

const AROUND =
  /\b(?:fenc\w+|perimeter|all the way round|around|border|edge|edging|skirting|frame|hedge|ribbon round)\b/;

const READING = /\b(?:meter|odometer|mileage|counter|milometer)\b/;

type Joint = (first: Fact, second: Fact, between: readonly string[]) => Fact | undefined;

/** The amounts of a story, of which two that stand next to each other may be one: `2 hours 40 minutes`, `12 by 8 metres`. */
export function joinFacts(facts: readonly Fact[], items: readonly Item[], text: string): readonly Fact[] {
  const parts = joinBy(joinParts, facts, items);
  const isAround = AROUND.test(text);
  return joinReadings(
    joinBy((first, second, between) => joinSides(first, second, between, isAround), parts, items),
    text,
  );
}

function joinBy(join: Joint, facts: readonly Fact[], items: readonly Item[]): Fact[] {
  const joined: Fact[] = [];
  for (const fact of facts) {
    const previous = joined.at(-1);
    const between = items.slice((previous?.at ?? 0) + 1, fact.at).map(({ text }) => text);
    const whole = previous && join(previous, fact, between);
    if (whole) joined.pop();
    joined.push(whole ?? fact);
  }
  return joined;
}

/** `2 hours 40 minutes` is one length of time. */
function joinParts(first: Fact, second: Fact, between: readonly string[]): Fact | undefined {
  const [bigger = '', smaller] = [first.unit.of[0], second.unit.of[0]];
  const areSimple = first.unit.of.length === 1 && second.unit.of.length === 1 && first.unit.per.length === 0;
  if (between.length > (between.at(-1) === 'and' ? 2 : 1) || !areSimple || bigger === smaller)
    return undefined;
  const ratio = measureOf(bigger) === bigger ? relate(bigger, smaller)?.ratio : undefined;
  if (ratio === undefined || ratio <= 1 || second.value >= ratio) return undefined;
  return {
    ...second,
    before: first.before,
    value: cleanNumber(first.value * ratio + second.value),
    expression: combine('add', scaled(first.expression, ratio), second.expression),
  };
}

/** `12 by 8 metres` is an area, or the way around it where a fence is asked for. */
function joinSides(
  first: Fact,
  second: Fact,
  between: readonly string[],
  isAround: boolean,
): Fact | undefined {
  // `60 m long and 45 m wide`
  const areNamed = /\b(?:long|wide)\b/.test(first.after) && first.clause + 1 >= second.clause;
  const areJoined = /^(?:by|x|×|\*)$/.test(between.at(-1) ?? '') && between.length <= 2;
  if ((!areJoined && !areNamed) || first.isShare || second.isShare) return undefined;
  const [name = ''] = second.unit.of;
  if (measureOf(name) === undefined || (!relate(name, 'metre') && !relate(name, 'foot'))) return undefined;
  const made = { ...second, isSingle: false, before: first.before };
  if (!isAround)
    return {
      ...made,
      value: first.value * second.value,
      expression: combine('multiply', first.expression, second.expression),
      unit: { of: first.unit.of.length > 1 ? [...first.unit.of, name] : [name, name], per: [] },
    };
  return {
    ...made,
    value: 2 * (first.value + second.value),
    expression: combine('multiply', numberOf(2), combine('add', first.expression, second.expression)),
    unit: { of: [name], per: [] },
  };
}

/** `the meter read 1,482 in May and 1,619 in July`, `from 7.99 to 10.99 a month`: what lies between two of at least three amounts. */
function joinReadings(facts: readonly Fact[], text: string): readonly Fact[] {
  const [first, second, ...rest] = facts;
  if (!first || !second || rest.length === 0 || first.isShare || second.isShare) return facts;
  const isFrom =
    /\bfrom$/.test(first.before) && second.before === 'to' && /\bhow much (?:more|less)\b/.test(text);
  if (!isFrom && !READING.test(text)) return facts;
  if (relate(first.unit.of[0], second.unit.of[0])?.ratio !== 1) return facts;
  const [more, less] = first.value > second.value ? [first, second] : [second, first];
  const expression = combine('subtract', more.expression, less.expression);
  return [{ ...second, before: '', value: more.value - less.value, expression }, ...rest];
}
