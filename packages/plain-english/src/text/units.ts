import { singular } from './base-forms';
import units from './lexicon/units.json';
import { setOf } from './lexicon/words';
import { stem } from './stem';

const COUNTED: ReadonlyMap<string, string> = new Map(Object.entries(units.counted));
const MONEY = setOf(units.money);

/** The name of each measure by its spellings, of which the first measure that has one keeps it. */
const measures = new Map<string, string>();
for (const [name, others] of Object.entries(units.measures)) {
  for (const word of `${name} ${others}`.trim().split(' ')) {
    if (!measures.has(word)) measures.set(word, name);
    if (word.length > 3 && !measures.has(stem(word))) measures.set(stem(word), name);
  }
}

/** The name of the measure that a word is, such as `gram` for `g`; undefined for a thing that is counted. */
export function measureOf(word: string): string | undefined {
  return measures.get(word) ?? (word.length > 3 ? measures.get(stem(word)) : undefined);
}

/** The name of a measure or of a thing that is counted, the same for one and for many. */
export function unitOf(word: string): string {
  return measureOf(word) ?? stem(COUNTED.get(word) ?? singular(word));
}

export function isMoney(name: string): boolean {
  return MONEY.has(name);
}
