import { combine, scaled } from '../arithmetic/expression';
import { cleanNumber } from '../text/quantity';
import type { Fact } from './fact';
import type { Item } from './items';
import { measureOf, relate } from './units';

/** `2 hours 40 minutes` is one length of time. */
export function joinParts(facts: readonly Fact[], items: readonly Item[]): Fact[] {
  const joined: Fact[] = [];
  for (const fact of facts) {
    const previous = joined.at(-1);
    const whole = previous && joinTwo(previous, fact, items);
    if (whole) joined[joined.length - 1] = whole;
    else joined.push(fact);
  }
  return joined;
}

function joinTwo(first: Fact, second: Fact, items: readonly Item[]): Fact | undefined {
  const [bigger = '', smaller = ''] = [first.unit.of[0], second.unit.of[0]];
  const between = items.slice(first.at + 1, second.at).map(({ text }) => text);
  if (
    between.length > (between.at(-1) === 'and' ? 2 : 1) ||
    first.unit.of.length !== 1 ||
    second.unit.of.length !== 1 ||
    bigger === smaller
  )
    return undefined;
  if (first.unit.per.length > 0) return undefined;
  const ratio = measureOf(bigger) === bigger ? relate(bigger, smaller)?.ratio : undefined;
  if (ratio === undefined || ratio <= 1 || second.value >= ratio) return undefined;
  return {
    ...second,
    before: first.before,
    at: second.at,
    value: cleanNumber(first.value * ratio + second.value),
    expression: combine('add', scaled(first.expression, ratio), second.expression),
  };
}
