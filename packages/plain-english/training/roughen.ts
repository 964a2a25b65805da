import { seededRandom } from './random';
import type { Sentence } from './sentence';

export interface RoughenOptions {
  readonly seed: number;
  /** Shares of the words that are left out, and that get two letters swapped. */
  readonly dropped: number;
  readonly misspelt: number;
  readonly weight: number;
}

const MIN_WORDS = 5;
const MISSPELT = /^[a-z]{5,}$/;

/** Each longer sentence once more as somebody in a hurry types it, so that no single word carries an intent. */
export function roughen(sentences: readonly Sentence[], options: RoughenOptions): Sentence[] {
  const random = seededRandom(options.seed);
  return sentences
    .filter(({ query }) => query.split(' ').length >= MIN_WORDS)
    .map((sentence) => {
      const words = sentence.query.split(' ').filter(() => random() >= options.dropped);
      const typed = words.map((word) =>
        random() < options.misspelt && MISSPELT.test(word) ? word.replace(/^(..)(.)(.)/, '$1$3$2') : word,
      );
      return { ...sentence, query: typed.join(' '), weight: sentence.weight * options.weight };
    });
}
