import { singular } from '../text/base-forms';
import { cleanNumber } from '../text/quantity';
import { stem } from '../text/stem';
import units from '../text/lexicon/units.json';
import { wordsTagged } from '../text/lexicon/words';

/** How long a day is as a length of time; a working day is shorter, so no rate is converted by it. */
const WHOLE_DAY = new Map([
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['week', 604_800],
]);
const COUNTED: ReadonlyMap<string, string> = new Map(Object.entries(units.counted));
/** Units that several words or signs are written as one for: `kWh`, `mph`. */
export const COMPOUND: ReadonlyMap<
  string,
  { readonly of: readonly string[]; readonly per: readonly string[] }
> = new Map(Object.entries(units.compound));
export const ADVERBS: Readonly<Record<string, string>> = units.adverbs;

/** Those who take a share each. */
const SHARERS = new Set([...wordsTagged('sharers')].map((word) => stem(word)));

/** Sizes of each unit by family. */
const sizes = new Map<string, Map<string, number>>();
const spellings = new Map<string, string>();
for (const [family, members] of Object.entries<Record<string, { size: number; spellings: string }>>(
  units.families,
)) {
  for (const [name, { size, spellings: others }] of Object.entries(members)) {
    sizes.set(name, (sizes.get(name) ?? new Map<string, number>()).set(family, size));
    for (const word of `${name} ${others}`.trim().split(' ')) {
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
  return measureOf(word) ?? stem(COUNTED.get(word) ?? singular(word));
}

export function isMeasure(name = ''): boolean {
  return sizes.has(name) || name === MONEY;
}

export function isMoney(name = ''): boolean {
  return name === MONEY || MONEY_FAMILIES.some((family) => sizes.get(name)?.has(family) === true);
}

export function isTime(name = ''): boolean {
  return WHOLE_DAY.has(name) || name === 'month' || name === 'year';
}

/** True for an amount whose unit is not said. */
export const isOpen = (name = ''): boolean => name === UNKNOWN || name === AMOUNT;

export interface Relation {
  /** What an amount of the first is multiplied by to be one of the second. */
  readonly ratio: number;
  /** How much had to be assumed. */
  readonly cost: number;
}

const SAME: Relation = { ratio: 1, cost: 0 };
const assumed = (cost: number): Relation => ({ ratio: 1, cost });

/** How one unit is expressed in another; undefined where they measure different things. */
export function relate(from = '', to = ''): Relation | undefined {
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
  if (isOpen(other)) return assumed(0.1);
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
export function convertLength(from = '', to = ''): number | undefined {
  const relation = relate(from, to);
  if (relation) return relation.ratio;
  const [size, other] = [WHOLE_DAY.get(from), WHOLE_DAY.get(to)];
  return size === undefined || other === undefined ? undefined : cleanNumber(size / other);
}

/** `ticket` and `student ticket` may be the same, `adult ticket` and `student ticket` are not. */
function sameThing(a: readonly string[], b: readonly string[]): boolean {
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}
