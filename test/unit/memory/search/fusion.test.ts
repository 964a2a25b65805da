import { fuse, type Place, toRankings } from '../../../../src/memory/search/fusion';
import type { SearchHit } from '../../../../src/stores/memory/search';

/** Hits named `a`, `b` and so on, with these scores. */
function hits(...scores: number[]): SearchHit[] {
  return scores.map((score, at) => ({ id: String.fromCharCode('a'.charCodeAt(0) + at), score }));
}

const ranksOf = (ranking: ReadonlyMap<string, Place>) => [...ranking].map(([id, { rank }]) => [id, rank]);
const scaledOf = (ranking: ReadonlyMap<string, Place>) => [...ranking.values()].map(({ scaled }) => scaled);

describe('the places in a ranking', () => {
  it('are one rank for equal scores, and the next has the place it would have', () => {
    const { words, meaning } = toRankings(hits(0.9, 0.5, 0.5, 0.1), hits(8, 8, 4, 4, 2));
    expect(ranksOf(words)).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 3],
      ['d', 3],
      ['e', 5],
    ]);
    expect(ranksOf(meaning)).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 4],
    ]);
  });

  it('keep the scores of the store', () => {
    const { words, meaning } = toRankings(hits(0.75, -0.25), hits(8, 2));
    expect([...words.values()].map(({ score }) => score)).toEqual([8, 2]);
    expect([...meaning.values()].map(({ score }) => score)).toEqual([0.75, -0.25]);
  });

  it('of words are shares of the best score, so that the last is not nothing', () => {
    expect(scaledOf(toRankings([], hits(8, 4, 2)).words)).toEqual([1, 0.5, 0.25]);
  });

  it('of meaning reach from the nearest, 1, to the last, 0, whatever their cosines are', () => {
    expect(scaledOf(toRankings(hits(0.875, 0.75, 0.625), []).meaning)).toEqual([1, 0.5, 0]);
    expect(scaledOf(toRankings(hits(0.5, 0, -0.5), []).meaning)).toEqual([1, 0.5, 0]);
    expect(scaledOf(toRankings(hits(-0.25, -0.5), []).meaning)).toEqual([1, 0]);
  });

  it('are all the best where all scores are equal', () => {
    const { words, meaning } = toRankings(hits(0.5, 0.5), hits(3, 3, 3));
    expect(scaledOf(words)).toEqual([1, 1, 1]);
    expect(scaledOf(meaning)).toEqual([1, 1]);
    for (const score of [0, -0.5, 0.5]) expect(scaledOf(toRankings(hits(score), []).meaning)).toEqual([1]);
  });

  it('tell the last cosine, and 0 of nothing', () => {
    expect(toRankings(hits(0.9, 0.2), hits(5)).lastCosine).toBe(0.2);
    expect(toRankings(hits(0.9, -0.2), []).lastCosine).toBe(-0.2);
    expect(toRankings([], hits(5)).lastCosine).toBe(0);
  });

  it('of nothing are none', () => {
    const { words, meaning } = toRankings([], []);
    expect([words.size, meaning.size]).toEqual([0, 0]);
  });
});

describe('two places as one score', () => {
  const place = (scaled: number): Place => ({ rank: 1, score: 1, scaled });

  it('have the shares of meaning and words', () => {
    const both = { words: place(1), meaning: place(0.5) };
    expect(fuse(both, { coverage: 1, meaningShare: 0.25 })).toBe(0.875);
    expect(fuse(both, { coverage: 1, meaningShare: 0 })).toBe(1);
    expect(fuse(both, { coverage: 1, meaningShare: 1 })).toBe(0.5);
  });

  it('let words count by the share of the query that a memory has', () => {
    const words = { words: place(1), meaning: undefined };
    expect(fuse(words, { coverage: 0.5, meaningShare: 0.25 })).toBe(0.375);
    expect(fuse(words, { coverage: 0, meaningShare: 0.25 })).toBe(0);
    const meaning = { words: undefined, meaning: place(1) };
    expect(fuse(meaning, { coverage: 0, meaningShare: 0.25 })).toBe(0.25);
  });

  it('are 1 of the best in both, and 0 of what neither has', () => {
    expect(fuse({ words: place(1), meaning: place(1) }, { coverage: 1, meaningShare: 0.25 })).toBe(1);
    expect(fuse({ words: undefined, meaning: undefined }, { coverage: 1, meaningShare: 0.25 })).toBe(0);
  });
});
