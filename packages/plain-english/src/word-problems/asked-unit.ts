import type { Fact } from './fact';
import type { Item } from './items';
import { isContent, nounAt, wordAt } from './nouns';
import { ADVERBS, EACH, isMeasure, isMoney, isTime, measureOf, MONEY, relate, UNKNOWN } from './units';
import { wordsTagged } from '../text/lexicon/words';

export const ASKING = /^(?:how|what|whats|calculate|compute)$/;

export const CONVERTING = /^(?:convert|express|change|turn)$/;

export const KIND = /\bhow (?:much )?(long|time|far|tall|heavy|old)\b|\bhow much (?:\w+ ){0,4}(weigh)\b/;

const PRICE =
  /\b(?:pays?|costs?|price|owe|charge|bill|fare|spend|fee|budget|earn|profit|income|salary|wage|tip|vat|interest|discount|commission|change|save|revenue|reimbursement|expensive|worth)\b/;

/** Words that ask for what is not a unit. */
const GENERIC = wordsTagged('asked-unit-generic');

/** What is asked may continue after a number: `what do 5 cost`. */
export function sentenceEnd(
  items: readonly Item[],
  from: number,
  marks = /^(?:[.?!;]|if|when|given)$/,
): number {
  let to = from;
  while (to < items.length && !marks.test(items[to]?.text ?? '')) to++;
  return to;
}

export function isNumber(items: readonly Item[], at: number): boolean {
  return items[at]?.kind === 'number' || items[at]?.kind === 'share';
}

type Wanted = readonly [of: readonly string[], per: readonly string[] | undefined, next: number];

export function wantedOf(
  items: readonly Item[],
  from: number,
  to: number,
  text: string,
  facts: readonly Fact[],
): Wanted {
  const given = inUnit(items, from, sentenceEnd(items, to, /^[.?!;]$/));
  if (given) return given;
  for (let at = from; at < to; at++) {
    const word = wordAt(items, at);
    if (word === 'many') return known(countedOf(items, at + 1), facts);
    if (word === 'fewest') return known(countedOf(items, at + 1), facts);
    if (word === 'number' && wordAt(items, at + 1) === 'of') return known(countedOf(items, at + 2), facts);
    if (word === 'often') return [[EACH], undefined, at];
  }
  if (/\bhow much (?:money|cash)\b/.test(text) || PRICE.test(text)) return [[MONEY], undefined, from];
  const isOfMoney = !KIND.test(text) && facts.some(({ unit }) => isMoney(unit.of[0] ?? ''));
  const noun = nounOf(items, from, to);
  const wanted: Wanted = noun ? known(noun, facts) : [[UNKNOWN], undefined, from];
  // Where a text is about money, what is asked for without a unit is money.
  return wanted[0][0] === UNKNOWN && isOfMoney ? [[MONEY], wanted[1], wanted[2]] : wanted;
}

/** A thing that no amount counts may be another name for those that are counted. */
function known([of, per, next]: Wanted, facts: readonly Fact[]): Wanted {
  const name = of[0] ?? '';
  const isKnown =
    isMeasure(name) ||
    facts.some(({ unit }) =>
      [...unit.of, ...unit.per].some((other) => other !== UNKNOWN && relate(other, name)),
    );
  return [isKnown ? of : [UNKNOWN], per, next];
}

/** `in km/h`, `in minutes`. */
function inUnit(items: readonly Item[], from: number, to: number): Wanted | undefined {
  for (let at = from; at < to; at++) {
    const isIn =
      wordAt(items, at) === 'in' ||
      (/^(?:to|into)$/.test(wordAt(items, at)) && CONVERTING.test(wordAt(items, from)));
    const noun = isIn ? nounAt(items, at + 1) : undefined;
    if (noun?.isMeasure !== true) continue;
    return [noun.of, noun.per.length > 0 ? noun.per : undefined, from];
  }
  return undefined;
}

function countedOf(items: readonly Item[], from: number): Wanted {
  let at = from;
  while (
    /^(?:of|the|these|those|my|our)$/.test(wordAt(items, at)) &&
    !/^(?:us|them|you)$/.test(wordAt(items, at + 1))
  )
    at++;
  if (isNumber(items, at)) {
    // `how many 30 cm pieces`
    const noun = nounAt(items, at + 1);
    const isThing = noun !== undefined && isContent(wordAt(items, noun.next));
    const thing = noun?.isMeasure === true && isThing ? nounAt(items, noun.next) : noun;
    return [thing?.of ?? [UNKNOWN], undefined, thing?.next ?? at];
  }
  const noun = nounAt(items, at);
  return noun ? [noun.of, noun.per.length > 0 ? noun.per : undefined, noun.next] : [[UNKNOWN], undefined, at];
}

/** `bags?`, `jars per pallet?`, `number of trips?` */
function nounOf(items: readonly Item[], from: number, to: number): Wanted | undefined {
  for (let at = from; at < to; at++) {
    const word = wordAt(items, at);
    if (/^(?:per|each|every|an?|one|in|on|for)$/.test(word)) return undefined;
    if (word === 'second' && isContent(wordAt(items, at + 1))) continue;
    if (GENERIC.has(word) || !isContent(word) || ASKING.test(word) || Object.hasOwn(ADVERBS, word)) continue;
    const noun = nounAt(items, at);
    return noun && [noun.of, noun.per.length > 0 ? noun.per : undefined, noun.next];
  }
  return undefined;
}

/** The thing of which one is asked about. */
export function perOf(items: readonly Item[], from: number, to: number): readonly string[] | undefined {
  for (let at = from; at < to; at++) {
    const word = wordAt(items, at);
    if (Object.hasOwn(ADVERBS, word) && !/^(?:average|mean)$/.test(wordAt(items, at + 1)))
      return [ADVERBS[word] ?? ''];
    if (word === 'unit' && /^(?:price|cost)$/.test(wordAt(items, at + 1))) return [EACH];
    if (word === 'apiece' || word === 'everyone' || word === 'everybody') return [EACH];
    const noun = nounAt(items, at + 1);
    if (word === 'per' && isNumber(items, at + 1)) continue;
    if (word === 'per' || word === 'each' || word === 'every' || word === '/')
      return noun && noun.next <= to && noun.of[0] !== UNKNOWN ? noun.of : [EACH];
    if ((word === 'one' || word === 'single') && wordAt(items, at + 1) !== 'of')
      return noun ? noun.of : [EACH];
    if (
      /^(?:the|this|whole)$/.test(word) &&
      wordAt(items, at + 1) === 'first' &&
      measureOf(wordAt(items, at + 2)) === 'year'
    )
      return ['year'];
    const isPeriod = noun !== undefined && isTime(noun.of[0] ?? '');
    if (
      (word === 'a' || word === 'an') &&
      noun &&
      (isPeriod ||
        /^(?:in|of|for|on|to|does|do|will|would|can|is)$/.test(wordAt(items, at - 1)) ||
        /^(?:costs?|weigh|hold|contain)$/.test(wordAt(items, noun.next)))
    )
      return noun.of;
  }
  return undefined;
}
