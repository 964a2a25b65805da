import type { Text } from '../text';
import { classOf, type WordClass } from '../word-classes';

/** What the cues look at. */
export interface Sight extends Text {
  readonly counts: Readonly<Partial<Record<WordClass, number>>>;
  /** Tokens that are words. */
  readonly wordCount: number;
  /** Numbers and clock times. */
  readonly numbers: number;
}

/** A property of a sentence that is or is not there, and the words for it in a reasoning. */
export interface Cue {
  readonly id: string;
  /** Completes "…, because it". */
  readonly says: string;
  readonly test: (sight: Sight) => boolean;
}

/** Counts once what several cues ask for. Pure. */
export function look(text: Text): Sight {
  const counts: Partial<Record<WordClass, number>> = {};
  let wordCount = 0;
  let numbers = 0;
  for (const token of text.tokens) {
    if (token === '<num>' || token === '<clock>') numbers += 1;
    if (!/^\p{L}/u.test(token)) continue;
    wordCount += 1;
    const found = classOf(token);
    if (found !== undefined) counts[found] = (counts[found] ?? 0) + 1;
  }
  return { ...text, counts, wordCount, numbers };
}

/** A cue that a pattern over the joined tokens decides; patterns have no nested quantifiers. */
export function pattern(id: string, says: string, regex: RegExp): Cue {
  return { id, says, test: ({ joined }) => regex.test(joined) };
}

/** A cue that a word of a class decides. */
export function hasClass(id: string, says: string, name: WordClass, least = 1): Cue {
  return { id, says, test: ({ counts }) => (counts[name] ?? 0) >= least };
}
