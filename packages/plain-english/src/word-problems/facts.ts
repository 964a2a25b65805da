import { combine, numberOf } from '../arithmetic/expression';
import { HALF_DAY } from './clock';
import { type Fact, plainFact } from './fact';
import { countBefore, rateOf } from './fact-rate';
import type { Item } from './items';
import { isContent, isPlural, type Noun, nounAt, simpleNoun, wordAt, wordsAfter, wordsBefore } from './nouns';
import { rateAfter } from './rate';
import type { Unit } from './unit';
import { AMOUNT, EACH, isMoney, measureOf, MONEY, UNKNOWN } from './units';

const PRICED =
  /\b(?:costs?|costing|price|priced|pays?|paid|paying|fare|bill|fee|budget|rent|salary|wage|spen[dt]|charges?|charged|earns?|earned|quoted|deposit|voucher|tip|came to|only|worth|sells? (?:it|them|a|an|\w+) for|sold (?:it|them) for|bought (?:it|them) for|saving|save)(?: (?:is|was|are|were|of|for|at|about|me|us|it|them|up|just|only|back|now|the|by))*$/;

/** The amounts of a story, each with its unit and what it is a rate of. */
export function factsOf(items: readonly Item[]): Fact[] {
  const facts: Fact[] = [];
  for (const [at, item] of items.entries()) {
    if (item.kind !== 'number' && item.kind !== 'share') continue;
    if (!isYear(items, at) && !isAnaphor(items, at)) facts.push(factAt(items, at, facts.at(-1)));
  }
  const time = elapsed(items);
  return (time ? [...facts, time] : facts).sort((a, b) => a.at - b.at);
}

/** The time from one clock time to another, `from 8:30 to 10:15`; undefined where there are not two. */
function elapsed(items: readonly Item[]): Fact | undefined {
  const times = items.filter(({ kind }) => kind === 'time');
  const [from, to] = times;
  if (!from || !to || times.length !== 2) return undefined;
  // Past midnight, or past noon where the half of the day is not said.
  const later = to.value >= from.value ? 0 : from.isJoined && to.isJoined ? 2 * HALF_DAY : HALF_DAY;
  return {
    ...plainFact(to.value + later - from.value, { of: ['minute'], per: [] }),
    expression: combine('subtract', numberOf(to.value + later), numberOf(from.value)),
    clause: from.clause,
    at: items.indexOf(to),
  };
}

/** `how much did the two of them save`: those of whom the story spoke. */
function isAnaphor(items: readonly Item[], at: number): boolean {
  return (
    wordAt(items, at - 1) === 'the' && /^(?:do|does|did|have|has|will|would)$/.test(wordAt(items, at - 2))
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
  const fact = { ...plainFact(value, NO_UNIT), before, after: wordsAfter(items, at + 1), clause, at };
  if (item?.kind === 'share')
    return { ...fact, expression: { kind: 'percent', share: value }, isShare: true };
  const noun =
    item?.currency === undefined
      ? nounAt(items, at + 1)
      : simpleNoun(measureOf(item.currency) ?? MONEY, at + 1, true);
  const made = { ...fact, ...unitOfFact(items, at, noun, before, previous) };
  return item?.isDozen === true
    ? { ...made, expression: combine('multiply', numberOf(value / 12), numberOf(12)) }
    : made;
}

const NO_UNIT: Unit = { of: [], per: [] };

function unitOfFact(
  items: readonly Item[],
  at: number,
  noun: Noun | undefined,
  before: string,
  previous: Fact | undefined,
): { unit: Unit; isSingle: boolean } {
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
  const isMoneyLike = isPriced || noun === undefined || isMoney(of[0]);
  const rate = rateOf(items, at, noun, isMoneyLike, previous);
  const per = (rate?.per ?? []).map((name) =>
    name === EACH ? (countBefore(items, at, previous) ?? EACH) : name,
  );
  // `each metre is 3 metres` says nothing; nor is a time by time.
  const isOwn = per.some((name) => of.includes(name));
  return { unit: { of, per: isOwn ? [] : per }, isSingle: rate?.isSingle === true && !isOwn };
}

/** The unit of a number that names none. */
function bareUnit(items: readonly Item[], at: number, isPriced: boolean): string {
  if (isPriced) return MONEY;
  return items[at]?.isDecimal === true ? AMOUNT : UNKNOWN;
}

/** `twice`, `3 times`. */
function isTimes(items: readonly Item[], at: number): boolean {
  const isWord = wordAt(items, at + 1) === 'times';
  return (isWord && wordAt(items, at + 2) !== 'as') || /^(?:once|twice|thrice)$/.test(items[at]?.text ?? '');
}
