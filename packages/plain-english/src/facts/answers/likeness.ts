import { singular } from '../../recall/kinds';
import { nounSenses, remembered, withKinds } from '../../recall/wordnet';
import type { Kind } from '../mentions';
import { common } from './features';
import type { Mention } from './story';

const WORDS: ReadonlySet<Kind> = new Set(['name', 'thing', 'quoted', 'code']);
const NUMBERS: ReadonlySet<Kind> = new Set(['number', 'code', 'time']);
/** Likeness of values of other kinds that may take each other's place, and of things of which nothing is known. */
const OF_OTHER_KIND = 0.3;
const OF_UNKNOWN = 0.4;
const OF_OTHER_UNIT = 0.2;
const OF_NO_UNIT = 0.8;

/** The noun of a mention: `cream` of `ice cream`. */
export function headOf({ text }: Mention): string {
  return singular(text.toLowerCase().split(/\s+/).at(-1) ?? '');
}

/** How well one value may take the place of another, 0 to 1: by its kind, its unit, and what kind of thing it is. */
export function likenessOf(one: Mention, other: Mention): number {
  if (one.kind !== other.kind) {
    const mayReplace = [WORDS, NUMBERS].some((kinds) => kinds.has(one.kind) && kinds.has(other.kind));
    return mayReplace ? OF_OTHER_KIND : 0;
  }
  if (one.kind === 'number') {
    const [unit, otherUnit] = [unitOf(one), unitOf(other)];
    if (unit === otherUnit) return 1;
    return unit === '' || otherUnit === '' ? OF_NO_UNIT : OF_OTHER_UNIT;
  }
  if (one.kind !== 'thing') return 1;
  const [kinds, otherKinds] = [kindsOf(one), kindsOf(other)];
  const smaller = Math.min(kinds.size, otherKinds.size);
  if (smaller === 0) return OF_UNKNOWN;
  return OF_OTHER_KIND + (1 - OF_OTHER_KIND) * (common(kinds, otherKinds) / smaller) ** 2;
}

function unitOf({ text }: Mention): string {
  return text.replace(/[\d.,\s]+/g, '').toLowerCase();
}

function kindsOf(mention: Mention): ReadonlySet<number> {
  const [sense] = nounSenses(headOf(mention));
  return sense === undefined ? new Set() : remembered(kindsOfSense, sense, () => withKinds(sense));
}

const kindsOfSense = new Map<number, ReadonlySet<number>>();
