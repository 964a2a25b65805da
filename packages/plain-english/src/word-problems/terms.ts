import { combine } from '../arithmetic/expression';
import type { Fact } from './fact';

/** Counts brought together with the rates they belong to: `24 bottles at 1.85 each` is one amount of money. */
export function mergeRates(facts: readonly Fact[]): Fact[] {
  const terms: Fact[] = [];
  for (let at = 0; at < facts.length; at++) {
    const fact = facts[at];
    if (!fact) break;
    const next = facts[at + 1];
    const product = next && multiply(fact, next);
    terms.push(product ?? fact);
    if (product) at++;
  }
  return terms;
}

function multiply(first: Fact, second: Fact): Fact | undefined {
  if (first.percent || second.percent) return undefined;
  const [count, rate] =
    second.per !== undefined && belongs(first, second) ? [first, second] : [second, first];
  if (rate.per === undefined || !belongs(count, rate)) return undefined;
  const { per: _, ...amount } = rate;
  return {
    ...amount,
    ...(count.per === undefined ? {} : { per: count.per }),
    value: count.value * rate.value,
    expression: combine('multiply', count.expression, rate.expression),
    before: first.before,
    after: second.after,
  };
}

/** True where so many things of which one has the rate are counted. */
function belongs(count: Fact, rate: Fact): boolean {
  if (rate.per === 'each') return count.per === undefined && !count.money && !sharesUnit(count, rate);
  return rate.per !== undefined && count.units.includes(rate.per);
}

export function sharesUnit(a: Fact, b: Fact): boolean {
  return (a.money && b.money) || a.units.slice(0, 1).some((unit) => b.units.includes(unit));
}
