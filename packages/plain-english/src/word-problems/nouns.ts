import { STOP_WORDS } from '../text/stop-words';
import type { Item } from './items';
import { ADVERBS, EACH, measureOf, unitOf, UNKNOWN } from './units';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that end what a number counts. */
const VERBS = list(
  'cost costs come comes came hold holds take takes took contain contains weigh weighs fit fits fill fills makes made made need needs needed ' +
    'pays paid pay eat eats ate sold sell sells spent spend lost loses left bought buys buy read gave gives used uses use drive drives ' +
    'drove ran run walk walked cover covers covered last lasts charge charges charged earn earns earned work works worked remain ' +
    'share split sit sat got gets eaten taken broken gone free arrive arrived join joined leave leaves failed passed lay lays ' +
    'produce produces order orders store stores carry carries carried set than both while since because until without except ' +
    'still already yet together altogether total times equally evenly long wide high tall old deep away back apiece yesterday today tonight ' +
    'ones serve serves serving monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep oct nov dec own owns go goes went carries so further including plus minus less fewer greater older younger taller heavier cheaper longer faster bigger smaller are is was ' +
    'were has have had does do did can could will would should might shall may',
);
/** Words that say no more than that there is something. */
const VAGUE = list(
  'more extra other another additional equal identical full further such same separate different whole single entire',
);
const SQUARED: Readonly<Record<string, readonly string[]>> = {
  'm²': ['metre', 'metre'],
  m2: ['metre', 'metre'],
  sqm: ['metre', 'metre'],
  qm: ['metre', 'metre'],
  'm³': ['metre', 'metre', 'metre'],
  m3: ['metre', 'metre', 'metre'],
  kwh: ['kilowatt', 'hour'],
  wh: ['watt', 'hour'],
};
const RATES: Readonly<Record<string, readonly [of: string, per: string]>> = {
  mph: ['mile', 'hour'],
  kmh: ['kilometre', 'hour'],
  kph: ['kilometre', 'hour'],
  mpg: ['mile', 'gallon'],
};

/** What a number counts or measures. */
export interface Noun {
  readonly of: readonly string[];
  readonly per: readonly string[];
  /** Number of the item after it. */
  readonly next: number;
  readonly isMeasure: boolean;
}

/** The unit or thing that is named from this item on. */
export function nounAt(items: readonly Item[], at: number): Noun | undefined {
  const word = wordAt(items, at);
  if (Object.hasOwn(ADVERBS, word))
    return isContent(wordAt(items, at + 1)) ? thingAt(items, at + 1) : undefined;
  if (VAGUE.has(word) && wordAt(items, at + 1) !== '') return nounAt(items, at + 1);
  if (word === 'square' || word === 'sq' || word === 'cubic') {
    const name = measureOf(wordAt(items, at + 1));
    const times = word === 'cubic' ? 3 : 2;
    if (name !== undefined)
      return { of: Array.from({ length: times }, () => name), per: [], next: at + 2, isMeasure: true };
  }
  if (word === '°')
    return {
      of: ['degree'],
      per: [],
      next: at + (/^[cf]$/.test(wordAt(items, at + 1)) ? 2 : 1),
      isMeasure: true,
    };
  const squared = Object.hasOwn(SQUARED, word) ? SQUARED[word] : undefined;
  if (squared) return { of: squared, per: [], next: at + 1, isMeasure: true };
  const rate = Object.hasOwn(RATES, word) ? RATES[word] : undefined;
  if (rate) return { of: [rate[0]], per: [rate[1]], next: at + 1, isMeasure: true };
  if (word === 'of' && /^(?:us|them|you|these|those)$/.test(wordAt(items, at + 1)))
    return {
      of: [wordAt(items, at + 1) === 'us' ? 'person' : UNKNOWN],
      per: [],
      next: at + 2,
      isMeasure: false,
    };
  const measure = measureOf(word);
  if (measure !== undefined) return { of: [measure], per: [], next: at + 1, isMeasure: true };
  return thingAt(items, at);
}

/** `student tickets`: up to three words of a thing. */
export function thingAt(items: readonly Item[], at: number): Noun | undefined {
  // `a can of paint`
  if (wordAt(items, at) === 'can' && /^(?:an?|one|per|each|every|the)$/.test(wordAt(items, at - 1)))
    return { of: ['can'], per: [], next: at + 1, isMeasure: false };
  const words: string[] = [];
  let next = at;
  for (; words.length < 3; next++) {
    const word = wordAt(items, next);
    if (VAGUE.has(word)) continue;
    if (!isContent(word) || (words.length > 0 && /.{2}(?:ing|ed)$/.test(word))) break;
    words.push(unitOf(word));
    // `5 workers dig`: what follows a plural is a verb.
    if (isPlural(word) && !isPlural(wordAt(items, next + 1))) {
      next++;
      break;
    }
  }
  if (words.length > 0) return { of: [words.join(' ')], per: [], next, isMeasure: false };
  return /^(?:us|ones?)$/.test(wordAt(items, at))
    ? { of: [wordAt(items, at) === 'us' ? 'person' : EACH], per: [], next: at + 1, isMeasure: false }
    : undefined;
}

/** Plurals by their ending, and those that have none. */
export const isPlural = (word: string): boolean =>
  /[^s]s$/.test(word) ||
  /(?:people|children|men|women)$|^(?:sheep|fish|deer|staff|ppl|feet|teeth|mice|geese|dice|cattle)$/.test(
    word,
  );

export function isContent(word: string): boolean {
  return (
    /^\p{L}{2}/u.test(word) && !VERBS.has(word) && (!STOP_WORDS.has(word) || measureOf(word) !== undefined)
  );
}

export function wordAt(items: readonly Item[], at: number): string {
  const item = items[at];
  return item?.kind === 'word' ? item.text : '';
}
