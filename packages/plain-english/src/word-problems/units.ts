import { cleanNumber } from '../text/quantity';
import { stem } from '../text/stem';

/** Kinds of measures, each unit with its size and its spellings; the plural is found by its stem. */
const FAMILIES: readonly (readonly [family: string, units: string])[] = [
  ['clock', '1 second sec secs|60 minute min mins|3600 hour hr hrs h'],
  ['weeks', '1 week|52 year'],
  ['months', '1 month mo mth mths|3 quarter|12 year'],
  ['calendar', '1 day night nights|7 week wk wks|14 fortnight|365 year yr yrs'],
  ['mass', '1 milligram mg|1000 gram gramme g gr|1e6 kilo kg kgs kilogram kilogramme|1e9 tonne ton t'],
  ['imperial mass', '1 ounce oz|16 pound lb lbs'],
  [
    'length',
    '1 millimetre mm millimeter|10 centimetre cm centimeter|1000 metre m meter|1e6 kilometre km kms kilometer',
  ],
  ['imperial length', '1 inch inches|12 foot feet ft|36 yard yd yds|63360 mile mi'],
  ['volume', '1 millilitre ml milliliter|10 centilitre cl|1000 litre l liter ltr'],
  ['imperial volume', '1 pint|2 quart|8 gallon gal'],
  ['data', '1 kilobyte kb|1e3 megabyte mb|1e6 gigabyte gb|1e9 terabyte tb'],
  ['power', '1 watt w|1000 kilowatt kw'],
  ['euro', '1 cent ct|100 euro eur euros €'],
  ['dollar', '1 cent|100 dollar usd buck bucks $'],
  ['pound', '1 penny pence p|100 pound gbp quid £'],
  ['other money', '1 franc chf|1 yen ¥|1 rupee ₹|1 crown|1 kr'],
  ['warmth', '1 degree degrees °'],
];
/** How long a day is as a length of time; a working day is shorter, so no rate is converted by it. */
const WHOLE_DAY = new Map([
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['week', 604_800],
]);
const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  ppl: 'person',
  pax: 'person',
  head: 'person',
  us: 'person',
  children: 'child',
  kid: 'child',
  kids: 'child',
  men: 'man',
  women: 'woman',
  loaves: 'loaf',
  shelves: 'shelf',
  knives: 'knife',
};
export const ADVERBS: Readonly<Record<string, string>> = {
  hourly: 'hour',
  daily: 'day',
  nightly: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
};

/** Those who take a share each. */
const SHARERS = new Set(
  (
    'person friend kid child student guest worker player man woman boy girl member employee team group class part colleague pupil neighbour ' +
    'neighbor cousin sibling brother sister housemate flatmate roommate family volunteer staff partner participant grandchild grandchildren ' +
    'adult passenger share instalment installment couple mate tenant'
  )
    .split(' ')
    .map((word) => stem(word)),
);

/** Sizes of each unit by family. */
const sizes = new Map<string, Map<string, number>>();
const spellings = new Map<string, string>();
for (const [family, units] of FAMILIES) {
  for (const entry of units.split('|')) {
    const [size = '', name = '', ...others] = entry.split(' ');
    sizes.set(name, (sizes.get(name) ?? new Map<string, number>()).set(family, Number(size)));
    for (const word of [name, ...others]) {
      if (!spellings.has(word)) spellings.set(word, name);
      if (word.length > 3 && !spellings.has(stem(word))) spellings.set(stem(word), name);
    }
  }
}
const MONEY_FAMILIES = ['euro', 'dollar', 'pound', 'other money'];

/** What is counted or measured is not said. */
export const UNKNOWN = '?';
/** An amount of something measured, as every number with decimals is: its unit is not said. */
export const AMOUNT = '~';
/** Money of a currency that is not said. */
export const MONEY = '$';
/** One of what is counted: `4 euros each`. */
export const EACH = 'each';

/** The unit that a word is; undefined for a thing. */
export function measureOf(word: string): string | undefined {
  return spellings.get(word) ?? (word.length > 3 ? spellings.get(stem(word)) : undefined);
}

/** The name of a unit or a thing counted, the same for one and for many. */
export function unitOf(word: string): string {
  const singular = word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.replace(/(s|x|z|ch|sh)es$/, '$1').replace(/([^su])s$/, '$1');
  return measureOf(word) ?? stem(Object.hasOwn(IRREGULAR, word) ? (IRREGULAR[word] ?? word) : singular);
}

export function isMeasure(name: string): boolean {
  return sizes.has(name) || name === MONEY;
}

export function isMoney(name: string): boolean {
  return name === MONEY || MONEY_FAMILIES.some((family) => sizes.get(name)?.has(family) === true);
}

export function isTime(name: string): boolean {
  return WHOLE_DAY.has(name) || name === 'month' || name === 'year';
}

export interface Relation {
  /** What an amount of the first is multiplied by to be one of the second. */
  readonly ratio: number;
  /** How much had to be assumed. */
  readonly cost: number;
}

const SAME: Relation = { ratio: 1, cost: 0 };
const assumed = (cost: number): Relation => ({ ratio: 1, cost });

/** How one unit is expressed in another; undefined where they measure different things. */
export function relate(from: string, to: string): Relation | undefined {
  if (from === to) return from === UNKNOWN ? assumed(0.1) : SAME;
  if (from === AMOUNT || to === AMOUNT) return relateAmount(from === AMOUNT ? to : from);
  if (from === UNKNOWN || to === UNKNOWN) return assumed(isMoney(from) || isMoney(to) ? 0.2 : 0.35);
  if (isMoney(from) && isMoney(to) && (from === MONEY || to === MONEY)) return assumed(0.05);
  if (from === 'person' || to === 'person') {
    const other = from === 'person' ? to : from;
    if (SHARERS.has(other.split(' ').at(-1) ?? '')) return assumed(0.05);
  }
  if (from === EACH || to === EACH) {
    const other = from === EACH ? to : from;
    return isMeasure(other) ? undefined : assumed(SHARERS.has(other.split(' ').at(-1) ?? '') ? 0.05 : 0.25);
  }
  if (isMeasure(from) && isMeasure(to)) return convert(from, to);
  if (isMeasure(from) || isMeasure(to)) return undefined;
  return sameThing(from.split(' '), to.split(' ')) ? assumed(0.05) : undefined;
}

function relateAmount(other: string): Relation | undefined {
  if (other === AMOUNT || other === UNKNOWN) return assumed(0.1);
  return isMeasure(other) ? assumed(isMoney(other) ? 0.15 : 0.3) : undefined;
}

function convert(from: string, to: string): Relation | undefined {
  for (const [family, size] of sizes.get(from) ?? []) {
    const other = sizes.get(to)?.get(family);
    if (other !== undefined) return { ratio: cleanNumber(size / other), cost: 0.1 };
  }
  return undefined;
}

/** The ratio of two lengths of time, days and weeks among them. */
export function convertLength(from: string, to: string): number | undefined {
  const relation = relate(from, to);
  if (relation) return relation.ratio;
  const [size, other] = [WHOLE_DAY.get(from), WHOLE_DAY.get(to)];
  return size === undefined || other === undefined ? undefined : cleanNumber(size / other);
}

/** `ticket` and `student ticket` may be the same, `adult ticket` and `student ticket` are not. */
function sameThing(a: readonly string[], b: readonly string[]): boolean {
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}
