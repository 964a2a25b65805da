import { numberOf } from '../arithmetic/expression';
import { groupedDigitsEnd } from '../text/digit-groups';
import { matchQuantity } from '../text/quantity';
import { STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import type { Fact } from './fact';
import { isSingle, rateOf } from './rate';
import { MONEY, unitOf } from './units';

export const MARKS = new Set(['.', ',', ';', '?', '!', ':']);
/** After these the story goes on. */
const JOINTS = new Set(['and', 'but', 'then']);
/** Words that end what a number counts. */
const ENDS = new Set('and but then cost costs holds at for who which'.split(' '));

export function factsOf(tokens: readonly Token[]): Fact[] | undefined {
  const facts: Fact[] = [];
  let before: string[] = [];
  for (let at = 0; at < tokens.length;) {
    // A story with a telephone number or a date in it has numbers of several kinds.
    if (groupedDigitsEnd(tokens, at) !== undefined) return undefined;
    const token = tokens[at];
    if (!token) break;
    const quantity = isIndefinite(tokens, at) ? undefined : matchQuantity(tokens, at);
    if (!quantity) {
      if (MARKS.has(token.text) || JOINTS.has(token.lower)) before = [];
      else before.push(token.lower);
      at++;
      continue;
    }
    const after = wordsAfter(tokens, quantity.next);
    const previous = facts.at(-1);
    const units = unitsOf(after);
    const isMoney = quantity.currency !== undefined || MONEY.has(after[0] ?? '');
    const per = quantity.percent ? undefined : rateOf(before, after, previous, isMoney);
    facts.push({
      value: quantity.value,
      expression: quantity.percent
        ? { kind: 'percent', share: quantity.value / 100 }
        : numberOf(quantity.value),
      percent: quantity.percent,
      money: isMoney,
      units,
      per,
      before,
      after,
    });
    before = [];
    at = quantity.next;
  }
  return facts.map((fact) => withoutLoneRate(fact, facts));
}

/** `a coat costs 75` is a rate only where coats are counted; without them it is the amount. */
function withoutLoneRate(fact: Fact, facts: readonly Fact[]): Fact {
  const { per, ...amount } = fact;
  if (per === undefined || !isSingle(fact.before, fact.after)) return fact;
  return facts.some(({ units }) => units.includes(per)) ? fact : amount;
}

/** `this one`, `one of them`, `which one`, `one candle`: a word rather than a number. */
function isIndefinite(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.lower === 'a' || token?.lower === 'couple') return tokens[at + 1]?.lower !== 'dozen';
  return (
    token?.lower === 'one' && tokens[at + 1]?.lower !== 'hundred' && tokens[at + 1]?.lower !== 'thousand'
  );
}

function wordsAfter(tokens: readonly Token[], from: number): string[] {
  const words: string[] = [];
  for (let at = from; words.length < 12; at++) {
    const token = tokens[at];
    if (!token) break;
    if (
      MARKS.has(token.text) ||
      JOINTS.has(token.lower) ||
      (matchQuantity(tokens, at) && !isIndefinite(tokens, at))
    )
      break;
    words.push(token.lower);
  }
  return words;
}

function unitsOf(after: readonly string[]): string[] {
  const units: string[] = [];
  for (const word of after.slice(0, 3)) {
    if (STOP_WORDS.has(word) || ENDS.has(word) || !/^\p{L}/u.test(word)) break;
    units.push(unitOf(word));
  }
  return units;
}
