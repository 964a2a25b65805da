import { type Item, JOINTS } from './items';
import { isContent, isPlural, type Noun, nounAt, wordAt } from './nouns';
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
    const word = wordAt(items, at);
    if (word === '' || JOINTS.has(word)) return undefined;
    if (Object.hasOwn(ADVERBS, word)) return { per: [ADVERBS[word] ?? ''], isSingle: false };
    if (word === 'apiece' || (word === 'piece' && wordAt(items, at - 1) === 'a'))
      return { per: [EACH], isSingle: false };
    const noun = nounAt(items, at + 1);
    const literal = wordAt(items, at + 1);
    if (word === '/' || word === 'per')
      return literal === ''
        ? undefined
        : { per: noun?.of ?? [unitOf(literal)], isSingle: false, next: noun?.next ?? at + 2 };
    if (word === 'every' && items[at + 1]?.kind === 'number') return undefined;
    // `two pumps each move 35 litres`: the rate is what follows.
    const leads =
      word === 'each' &&
      (items[at + 2]?.kind === 'number' || items[at + 3]?.kind === 'number') &&
      !JOINTS.has(wordAt(items, at + 1)) &&
      !JOINTS.has(wordAt(items, at + 2));
    if (word === 'each' || word === 'every') return leads ? undefined : eachOf(items, at, noun);
    if (word === 'a' || word === 'an' || word === 'one') {
      if (
        wordAt(items, at + 1) === 'time' ||
        wordAt(items, at + 1) === 'piece' ||
        wordAt(items, at + 1) === 'go'
      )
        return { per: [EACH], isSingle: false };
      if (!noun || /^(?:ago|later|earlier)$/.test(wordAt(items, noun.next))) return undefined;
      const isNext = at === from && word !== 'one';
      return { per: noun.of, isSingle: !(isNext && (isMoneyLike || noun.isMeasure)), next: noun.next };
    }
    // `15 for adults`, `48 for the quarter`: where these are counted.
    const isFor =
      word === 'for' &&
      at === from &&
      noun !== undefined &&
      !noun.isMeasure &&
      isPlural(wordAt(items, noun.next - 1));
    if (isFor) return { per: noun.of, isSingle: true };
    const isWhole = /^(?:in|for)$/.test(wordAt(items, at - 1)) && wordAt(items, at + 1) === 'whole';
    // `for the whole year`, `0.92 euros to the dollar`
    if (word === 'the' && ((wordAt(items, at - 1) === 'to' && at <= from + 1) || isWhole))
      return noun && (isWhole || noun.isMeasure) ? { per: noun.of, isSingle: false } : undefined;
  }
  return undefined;
}

function eachOf(items: readonly Item[], at: number, noun: Noun | undefined): Rate | undefined {
  const next = wordAt(items, at + 1);
  if (/^(?:way|time|trip|side)$/.test(next)) return { per: [next], isSingle: false };
  // `26 students each need 3`: the rate is what follows.
  if (!noun && /^(?:needs?|pays?|gets?|has|have|holds?|costs?|weighs?|eats?|takes?|brings?|put)$/.test(next))
    return undefined;
  return noun && (!noun.isMeasure || isTime(noun.of[0] ?? ''))
    ? { per: noun.of, isSingle: false }
    : { per: [EACH], isSingle: false };
}

/** `each box holds 24`, `a coat costs 75`, `boxes of 12`, `pens at 1.20`: what stands before the number. */
export function rateBefore(items: readonly Item[], number: number): Rate | undefined {
  const start = startOf(items, number);
  const last = wordAt(items, number - 1);
  if (items.slice(start, number).some(({ text }) => /^(?:how|what|whats)$/.test(text))) return undefined;
  const isBareDecimal =
    items[number]?.isDecimal === true && measureOf(wordAt(items, number + 1)) === undefined;
  if (
    last === 'of' &&
    !isBareDecimal &&
    items[number]?.currency === undefined &&
    isContent(wordAt(items, number - 2)) &&
    !/^(?:total|price|cost|rate|wage|speed|bill|sum|fee|rent|salary|discount|budget|pay|deposit|balance|class|tip|share|team|group|family|party|crew|limit|target|goal)$/.test(
      wordAt(items, number - 2),
    )
  )
    return { per: [unitOf(wordAt(items, number - 2))], isSingle: !wordAt(items, number - 2).endsWith('s') };
  let single: Rate | undefined;
  for (let at = number - 2; at >= start; at--) {
    const word = wordAt(items, at);
    // `3 tablets a day for 10 days`: the article belongs to the number before.
    const isTaken =
      /^(?:per|every|an?)$/.test(word) &&
      items.slice(Math.max(0, at - 3), at).some(({ kind }) => kind === 'number');
    const noun =
      !isTaken && /^(?:per|each|every|an?|one|single)$/.test(word) ? nounAt(items, at + 1) : undefined;
    if (noun && noun.next <= number && /^(?:per|each|every)$/.test(word))
      return { per: noun.of, isSingle: false };
    const isOne = word === 'one' && /^(?:is|costs?|weighs?|takes?|holds?)$/.test(wordAt(items, at + 1));
    if ((word === 'each' && !noun) || isOne) return { per: [EACH], isSingle: false };
    if (noun && noun.next < number)
      single ??= { per: noun.of, isSingle: word !== 'single' || noun.of[0] !== EACH };
    if (
      Object.hasOwn(ADVERBS, word) &&
      /^(?:rate|wage|pay|fee|rent|salary|dose|subscription|price|cost)/.test(wordAt(items, at + 1))
    )
      return { per: [ADVERBS[word] ?? ''], isSingle: true };
  }
  const everyone = items.slice(start, number).some(({ text }) => /^every(?:one|body)$/.test(text));
  if (everyone) return { per: [EACH], isSingle: false };
  return single;
}

function startOf(items: readonly Item[], number: number): number {
  let start = number;
  while (
    start > 0 &&
    number - start < MAX_BEFORE &&
    items[start - 1]?.kind === 'word' &&
    !JOINTS.has(wordAt(items, start - 1))
  )
    start--;
  return start;
}
