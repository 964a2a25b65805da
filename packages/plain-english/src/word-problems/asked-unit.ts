import { type Fact, namesOf } from './fact';
import type { Item } from './items';
import { isContent, type Noun, nounAt, simpleNoun, wordAt } from './nouns';
import { ADVERBS, EACH, isMeasure, isMoney, isTime, MONEY, relate, UNKNOWN } from './units';
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

/** What is asked for, and the item after it. */
export function wantedOf(
  items: readonly Item[],
  from: number,
  to: number,
  text: string,
  facts: readonly Fact[],
): Noun {
  const given = inUnit(items, from, sentenceEnd(items, to, /^[.?!;]$/));
  if (given) return { ...given, next: from };
  for (let at = from; at < to; at++) {
    const word = wordAt(items, at);
    const isNumberOf = word === 'number' && wordAt(items, at + 1) === 'of';
    if (word === 'many' || word === 'fewest' || isNumberOf)
      return known(countedOf(items, isNumberOf ? at + 2 : at + 1), facts);
    if (word === 'often') return simpleNoun(EACH, at);
  }
  if (/\bhow much (?:money|cash)\b/.test(text) || PRICE.test(text)) return simpleNoun(MONEY, from);
  const isOfMoney = !KIND.test(text) && facts.some(({ unit }) => isMoney(unit.of[0]));
  const noun = nounOf(items, from, to);
  const wanted = noun ? known(noun, facts) : simpleNoun(UNKNOWN, from);
  // Where a text is about money, what is asked for without a unit is money.
  return wanted.of[0] === UNKNOWN && isOfMoney ? { ...wanted, of: [MONEY] } : wanted;
}

/** True for a measure, and for a thing that an amount counts. */
export const isKnown = (name: string, facts: readonly Fact[]): boolean =>
  isMeasure(name) ||
  facts.some((fact) => namesOf(fact).some((other) => other !== UNKNOWN && relate(other, name)));

/** A thing that no amount counts may be another name for those that are counted. */
const known = (noun: Noun, facts: readonly Fact[]): Noun =>
  isKnown(noun.of[0] ?? '', facts) ? noun : { ...noun, of: [UNKNOWN] };

/** `in km/h`, `in minutes`. */
function inUnit(items: readonly Item[], from: number, to: number): Noun | undefined {
  for (let at = from; at < to; at++) {
    const isIn =
      wordAt(items, at) === 'in' ||
      (/^(?:to|into)$/.test(wordAt(items, at)) && CONVERTING.test(wordAt(items, from)));
    const noun = isIn ? nounAt(items, at + 1) : undefined;
    if (noun?.isMeasure === true) return noun;
  }
  return undefined;
}

function countedOf(items: readonly Item[], from: number): Noun {
  let at = from;
  while (
    /^(?:of|the|these|those|my|our)$/.test(wordAt(items, at)) &&
    !/^(?:us|them|you)$/.test(wordAt(items, at + 1))
  )
    at++;
  const isNumbered = isNumber(items, at);
  const noun = nounAt(items, isNumbered ? at + 1 : at);
  // `how many 30 cm pieces`
  const isSize = isNumbered && noun?.isMeasure === true && isContent(wordAt(items, noun.next));
  return (isSize ? nounAt(items, noun.next) : noun) ?? simpleNoun(UNKNOWN, at);
}

/** `bags?`, `jars per pallet?`, `number of trips?` */
function nounOf(items: readonly Item[], from: number, to: number): Noun | undefined {
  for (let at = from; at < to; at++) {
    const word = wordAt(items, at);
    if (/^(?:per|each|every|an?|one|in|on|for)$/.test(word)) return undefined;
    if (GENERIC.has(word) || !isContent(word) || ASKING.test(word) || Object.hasOwn(ADVERBS, word)) continue;
    return nounAt(items, at);
  }
  return undefined;
}

/** The thing of which one is asked about. */
export function perOf(items: readonly Item[], from: number, to: number): readonly string[] | undefined {
  for (let at = from; at < to; at++) {
    const [word, next] = [wordAt(items, at), wordAt(items, at + 1)];
    const words = `${word} ${next}`;
    if (Object.hasOwn(ADVERBS, word) && !/^(?:average|mean)$/.test(next)) return [ADVERBS[word] ?? ''];
    if (/^(?:apiece|everyone|everybody) |^unit (?:price|cost)$/.test(words)) return [EACH];
    if (word === 'per' && isNumber(items, at + 1)) continue;
    const noun = nounAt(items, at + 1);
    if (/^(?:per|each|every|\/)$/.test(word))
      return noun && noun.next <= to && noun.of[0] !== UNKNOWN ? noun.of : [EACH];
    if (/^(?:one|single)$/.test(word) && next !== 'of') return noun?.of ?? [EACH];
    if (!noun || !/^an?$/.test(word)) continue;
    if (isTime(noun.of[0])) return noun.of;
  }
  return undefined;
}
