import { combine, numberOf } from '../arithmetic/expression';
import { wordsAfter, wordsBefore } from './around';
import { elapsed } from './clock';
import type { Fact } from './fact';
import { joinParts } from './fact-parts';
import { countBefore, rateOf } from './fact-rate';
import { bareUnit, isTimes, moneyAt, PRICED } from './fact-unit';
import type { Item } from './items';
import { isContent, isPlural, type Noun, nounAt, wordAt } from './nouns';
import { rateAfter } from './rate';
import type { Unit } from './unit';
import { EACH, isMoney } from './units';

/** The amounts of a story, each with its unit and what it is a rate of. */
export function factsOf(items: readonly Item[]): Fact[] {
  const facts: Fact[] = [];
  for (const [at, item] of items.entries()) {
    if (item.kind !== 'number' && item.kind !== 'share') continue;
    if (!isYear(items, at) && !isAnaphor(items, at)) facts.push(factAt(items, at, facts.at(-1)));
  }
  const time = elapsed(items);
  if (time) facts.push(time);
  return joinParts(
    [...facts].sort((a, b) => a.at - b.at),
    items,
  );
}

/** `how much did the two of them save`: those of whom the story spoke. */
function isAnaphor(items: readonly Item[], at: number): boolean {
  return (
    wordAt(items, at - 1) === 'the' &&
    /^(?:do|does|did|have|has|will|would)$/.test(wordAt(items, at - 2)) &&
    /^of (?:us|them|you)\b/.test(wordsAfter(items, at + 1))
  );
}

const YEAR_BEFORE = /^(?:in|since|until|till|between|from|by|to|and|before|after|of|#)$/;

/** `in 2010 the town had 14,000`, `between 2015 and 2020`: a year is no amount, except beside another one. */
function isYear(items: readonly Item[], at: number): boolean {
  const item = items[at];
  const next = items[at + 1];
  const isBare = next?.kind !== 'word' || !isContent(next.text) || /^(?:the|it|we|they|i)$/.test(next.text);
  const isNamed = item?.isYear === true && isBare && YEAR_BEFORE.test(wordAt(items, at - 1));
  return isNamed && items.filter((other) => other.kind === 'number').some((other) => !other.isYear);
}

function factAt(items: readonly Item[], at: number, previous: Fact | undefined): Fact {
  const item = items[at];
  const { value = 0, clause = 0 } = item ?? {};
  const before = wordsBefore(items, at);
  const around = { value, before, after: wordsAfter(items, at + 1), clause, at };
  if (item?.kind === 'share')
    return {
      ...around,
      expression: { kind: 'percent', share: value },
      isShare: true,
      unit: { of: [], per: [] },
      isSingle: false,
    };
  const noun = item?.currency === undefined ? nounAt(items, at + 1) : moneyAt(at, item.currency);
  const { unit, isSingle } = unitOfFact(items, at, noun, before, previous);
  const expression =
    item?.isDozen === true ? combine('multiply', numberOf(value / 12), numberOf(12)) : numberOf(value);
  return { ...around, expression, isShare: false, unit, isSingle };
}

function unitOfFact(
  items: readonly Item[],
  at: number,
  noun: Noun | undefined,
  before: string,
  previous: Fact | undefined,
): { unit: Unit; isSingle: boolean } {
  const next = noun?.next ?? at + 1;
  // `450 rent`, `63 played`: what the number is for, while what it counts is in the plural.
  const isLabel =
    noun !== undefined &&
    !noun.isMeasure &&
    items[at]?.isJoined !== true &&
    items[at]?.value !== 1 &&
    noun.of[0] !== 'person' &&
    !isPlural(wordAt(items, noun.next - 1));
  if (isTimes(items, at)) {
    const rate = rateAfter(items, wordAt(items, at + 1) === 'times' ? at + 2 : at + 1, true);
    return { unit: { of: [], per: rate?.per ?? [] }, isSingle: false };
  }
  const isPriced = PRICED.test(before);
  const counted = isLabel ? undefined : noun?.of;
  const of = counted ?? [bareUnit(items, at, isPriced)];
  if (noun && noun.per.length > 0) return { unit: { of, per: noun.per }, isSingle: false };
  const isMoneyLike = isPriced || noun === undefined || isMoney(of[0] ?? '');
  const rate = rateOf(items, at, { noun, next, isMoneyLike, previous });
  const per =
    rate?.per.map((name) => (name === EACH ? (countBefore(items, at, previous) ?? EACH) : name)) ?? [];
  // `each metre is 3 metres` says nothing; nor is a time by time.
  const isOwn = per.some((name) => of.includes(name));
  return rate && !isOwn
    ? { unit: { of, per }, isSingle: rate.isSingle }
    : { unit: { of, per: [] }, isSingle: false };
}
