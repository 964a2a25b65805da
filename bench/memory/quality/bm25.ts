import { STOP_WORDS } from '../../../src/embeddings/lexical/stop-words';
import { textWords } from '../../../src/stores/memory/query-words';

const K1 = 1.2;
const B = 0.75;

interface Text {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/**
 * Plain BM25 over words as they are written, without stop words in the query (Robertson and Zaragoza, "The Probabilistic Relevance
 * Framework", 2009): what a search has to be better than.
 * @returns a function that gives the indexes of the best texts for a query
 */
export function createBm25(texts: readonly string[]): (query: string, limit: number) => number[] {
  const all = texts.map(countWords);
  const averageLength = all.reduce((sum, { length }) => sum + length, 0) / all.length;
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const word of new Set(textWords(query))) {
      if (STOP_WORDS.has(word)) continue;
      const having = all.filter(({ counts }) => counts.has(word)).length;
      const rarity = Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
      for (const [at, { counts, length }] of all.entries()) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
        scores.set(at, (scores.get(at) ?? 0) + rarity * weight);
      }
    }
    return [...scores]
      .sort(([atOne, one], [atOther, other]) => other - one || atOne - atOther)
      .slice(0, limit)
      .map(([at]) => at);
  };
}

function countWords(text: string): Text {
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of textWords(text)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    length += 1;
  }
  return { counts, length };
}
