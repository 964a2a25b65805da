import { stem } from '../text/stem';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Other words for a unit. */
const CANONICAL: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  feet: 'foot',
  loaves: 'loaf',
  h: 'hour',
  hr: 'hour',
  hrs: 'hour',
  hours: 'hour',
  min: 'minute',
  mins: 'minute',
  minutes: 'minute',
  sec: 'second',
  secs: 'second',
  kg: 'kilo',
  kgs: 'kilo',
  kilogram: 'kilo',
  kilograms: 'kilo',
  km: 'kilometre',
  kms: 'kilometre',
  kilometer: 'kilometre',
  kilometers: 'kilometre',
  m: 'metre',
  meter: 'metre',
  meters: 'metre',
  g: 'gram',
  l: 'litre',
  liter: 'litre',
  liters: 'litre',
  ml: 'millilitre',
  wk: 'week',
  yr: 'year',
  yrs: 'year',
};

/** The name of a unit or a thing counted, the same for one and for many. */
export function unitOf(word: string): string {
  return stem(Object.hasOwn(CANONICAL, word) ? (CANONICAL[word] ?? word) : word);
}

export const MONEY = list(
  'euro euros eur dollar dollars usd buck bucks pound pounds gbp quid franc francs chf cent cents pence yen rupees crowns kr',
);
export const TIME_UNITS = new Set(
  ['second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'night'].map(unitOf),
);
/** What one of them takes a share of. */
export const SHARERS = new Set(
  'person friend kid child student guest worker player man woman boy girl member employee team group class part colleague pupil neighbour neighbor cousin sibling brother sister housemate flatmate roommate family volunteer staff partner participant'
    .split(' ')
    .map(unitOf),
);
export const ADVERBS: Readonly<Record<string, string>> = {
  hourly: unitOf('hour'),
  daily: unitOf('day'),
  weekly: unitOf('week'),
  monthly: unitOf('month'),
  yearly: unitOf('year'),
  annual: unitOf('year'),
  annually: unitOf('year'),
};

/** How many of the smaller unit are one of the bigger; months differ and are left out. */
const RATIOS: readonly (readonly [bigger: string, smaller: string, ratio: number])[] = (
  [
    ['minute', 'second', 60],
    ['hour', 'minute', 60],
    ['hour', 'second', 3_600],
    ['day', 'hour', 24],
    ['day', 'minute', 1_440],
    ['week', 'day', 7],
    ['week', 'hour', 168],
    ['year', 'month', 12],
    ['kilo', 'gram', 1_000],
    ['kilometre', 'metre', 1_000],
    ['litre', 'millilitre', 1_000],
    ['metre', 'centimetre', 100],
    ['euro', 'cent', 100],
    ['dollar', 'cent', 100],
  ] as const
).map(([bigger, smaller, ratio]) => [unitOf(bigger), unitOf(smaller), ratio]);

/** @returns above 0 to multiply by, below 0 to divide by */
export function ratioOf(from: string, to: string): number | undefined {
  for (const [bigger, smaller, ratio] of RATIOS) {
    if (from === bigger && to === smaller) return ratio;
    if (from === smaller && to === bigger) return -ratio;
  }
  return undefined;
}
