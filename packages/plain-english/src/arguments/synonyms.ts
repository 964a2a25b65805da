import { stem } from '../text/stem';
import vocabulary from './vocabulary.json';

/** Verbs and nouns that say the same of any tool. A word may be in several groups. */
const GROUPS = vocabulary.synonyms.map((group) => group.split(' ').map(stem));

const byStem = new Map<string, Set<string>>();
for (const group of GROUPS) {
  for (const word of group) {
    const others = byStem.get(word) ?? new Set<string>();
    for (const other of group) others.add(other);
    byStem.set(word, others);
  }
}

/** Verbs that fit many tools, so that they alone choose no tool. */
const WEAK = new Set(vocabulary['weak verbs'].split(' ').flatMap((word) => [word, stem(word)]));

/** True where one stem is the other, or means the same. */
export function meansSame(a: string, b: string): boolean {
  return a === b || byStem.get(a)?.has(b) === true;
}

/** The stems that mean the same as one. */
export function sameMeaning(word: string): readonly string[] {
  return [...(byStem.get(word) ?? [])];
}

export function isWeak(word: string): boolean {
  return WEAK.has(word);
}

/** True for a verb that the groups know: what a sentence that begins with it wants done. */
export function isKnownWord(word: string): boolean {
  return byStem.has(word);
}
