import { type Item, JOINTS } from './items';
import { isContent, type Noun, nounAt, phraseStart, wordAt } from './nouns';
import { ADVERBS, EACH, isTime, measureOf, unitOf } from './units';

/** What one of has so much. `isSingle`: only where such things are counted elsewhere. */
export interface Rate {
  readonly per: readonly string[];
  readonly isSingle: boolean;
  /** Number of the item after it. */
  readonly next?: number;
}

/** How far from its number a rate is said, words. */
const MAX_DISTANCE = 5;
const MAX_BEFORE = 10;

export const each = (...per: readonly string[]): Rate => ({ per, isSingle: false });

/** `4 euros a tin`, `3 tablets daily`, `12 to a box`, `75 kg each`: what follows the unit. */
export function rateAfter(items: readonly Item[], from: number, isMoneyLike: boolean): Rate | undefined {
  const first = firstRate(items, from, isMoneyLike);
  // `25 per person per night`
  if (!first || first.next === undefined || !/^(?:per|a|\/)$/.test(wordAt(items, first.next))) return first;
  const second = nounAt(items, first.next + 1);
  return second ? { ...first, per: [...first.per, ...second.of] } : first;
}

function firstRate(items: readonly Item[], from: number, isMoneyLike: boolean): Rate | undefined {
  for (let at = from; at < from + MAX_DISTANCE; at++) {
    const [before, word, literal] = [wordAt(items, at - 1), wordAt(items, at), wordAt(items, at + 1)];
    if (word === '' || JOINTS.has(word)) return undefined;
    if (Object.hasOwn(ADVERBS, word)) return each(ADVERBS[word] ?? '');
    if (word === 'apiece' || /^(?:an?|one) (?:time|piece|go)$/.test(`${word} ${literal}`)) return each(EACH);
    const noun = nounAt(items, at + 1);
    const rate: Rate | undefined = noun && { per: noun.of, isSingle: false, next: noun.next };
    if (/^(?:per|\/)$/.test(word))
      return literal === '' ? undefined : (rate ?? { ...each(unitOf(literal)), next: at + 2 });
    if (word === 'every' && items[at + 1]?.kind === 'number') return undefined;
    if (/^(?:each|every)$/.test(word)) return isLead(items, at) ? undefined : eachOf(items, at, noun);
    if (/^(?:an?|one)$/.test(word)) {
      if (!noun || /^(?:ago|later|earlier)$/.test(wordAt(items, noun.next))) return undefined;
      const isNext = at === from && word !== 'one';
      return { ...each(...noun.of), isSingle: !(isNext && (isMoneyLike || noun.isMeasure)), next: noun.next };
    }
    const isWhole = /^(?:in|for)$/.test(before) && literal === 'whole';
    // `for the whole year`, `0.92 euros to the dollar`
    if (word === 'the' && (isWhole || (before === 'to' && at <= from + 1)))
      return noun && (isWhole || noun.isMeasure) ? each(...noun.of) : undefined;
  }
  return undefined;
}

/** `two pumps each move 35 litres`: the rate is what follows. */
function isLead(items: readonly Item[], at: number): boolean {
  const isNumber = items[at + 2]?.kind === 'number' || items[at + 3]?.kind === 'number';
  const isJoined = [1, 2].some((offset) => JOINTS.has(wordAt(items, at + offset)));
  return wordAt(items, at) === 'each' && isNumber && !isJoined;
}

function eachOf(items: readonly Item[], at: number, noun: Noun | undefined): Rate | undefined {
  const next = wordAt(items, at + 1);
  // `26 students each need 3`: the rate is what follows.
  if (!noun && /^(?:needs?|pays?|gets?|has|have|holds?|costs?|weighs?|eats?|takes?|brings?|put)$/.test(next))
    return undefined;
  return noun && (!noun.isMeasure || isTime(noun.of[0])) ? each(...noun.of) : each(EACH);
}

/** Nouns before `of` that have one amount, which is no rate: `a total of 12`. */
const AMOUNTS =
  /^(?:total|price|cost|rate|wage|speed|bill|sum|fee|rent|salary|discount|budget|pay|deposit|balance|class|tip|share|team|group|family|party|crew|limit|target|goal)$/;

/** `each box holds 24`, `a coat costs 75`, `boxes of 12`, `pens at 1.20`: what stands before the number. */
export function rateBefore(items: readonly Item[], number: number): Rate | undefined {
  const start = phraseStart(items, number, MAX_BEFORE);
  const before = items.slice(start, number);
  if (before.some(({ text }) => /^(?:how|what|whats)$/.test(text))) return undefined;
  const item = items[number];
  const isBareDecimal = item?.isDecimal === true && measureOf(wordAt(items, number + 1)) === undefined;
  const holder = wordAt(items, number - 1) === 'of' ? wordAt(items, number - 2) : '';
  if (isContent(holder) && !isBareDecimal && item?.currency === undefined && !AMOUNTS.test(holder))
    return { per: [unitOf(holder)], isSingle: !holder.endsWith('s') };
  let single: Rate | undefined;
  for (let at = number - 2; at >= start; at--) {
    const [word, next] = [wordAt(items, at), wordAt(items, at + 1)];
    // `3 tablets a day for 10 days`: the article belongs to the number before.
    const isTaken =
      /^(?:per|every|an?)$/.test(word) &&
      items.slice(Math.max(0, at - 3), at).some(({ kind }) => kind === 'number');
    const isRate = !isTaken && /^(?:per|each|every|an?|one|single)$/.test(word);
    const noun = isRate ? nounAt(items, at + 1) : undefined;
    if (noun && noun.next <= number && /^(?:per|each|every)$/.test(word)) return each(...noun.of);
    const isOne = word === 'one' && /^(?:is|costs?|weighs?|takes?|holds?)$/.test(next);
    if ((word === 'each' && !noun) || isOne) return each(EACH);
    if (noun && noun.next < number)
      single ??= { per: noun.of, isSingle: word !== 'single' || noun.of[0] !== EACH };
    if (Object.hasOwn(ADVERBS, word)) return { per: [ADVERBS[word] ?? ''], isSingle: true };
  }
  return before.some(({ text }) => /^every(?:one|body)$/.test(text)) ? each(EACH) : single;
}
