import type { SearchHit } from '../../stores/memory/search';

/** What one ranking says of a memory. */
export interface Place {
  /** From 1; hits with equal scores share a rank. */
  readonly rank: number;
  /** The score of the store: BM25, or the cosine. */
  readonly score: number;
  /** The score on a scale from 0 to 1, on which rankings can be added. */
  readonly scaled: number;
}

/** The places of memories in a ranking, by id. */
type Ranking = ReadonlyMap<string, Place>;

/** The rankings of one query. */
export interface Rankings {
  readonly words: Ranking;
  readonly meaning: Ranking;
  /**
   * The cosine of the last of the nearest. A memory that only the words found is no nearer than that, and its distance is
   * unknown: it counts as unrelated, and as opposed if even the last of the nearest is.
   */
  readonly lastCosine: number;
}

/** Ranks the hits of a search by meaning and of one by words. Pure. */
export function toRankings(byMeaning: readonly SearchHit[], byWords: readonly SearchHit[]): Rankings {
  return {
    words: rankWords(byWords),
    meaning: rankMeaning(byMeaning),
    lastCosine: byMeaning.at(-1)?.score ?? 0,
  };
}

/**
 * Scales a ranking by words: the best hit is 1, and a text with none of the words would be 0. So how far the best is ahead of
 * the others stays, which a fusion of ranks loses. Pure.
 * @param hits best first, with scores above 0
 */
function rankWords(hits: readonly SearchHit[]): Ranking {
  return rank(hits, 0);
}

/**
 * Scales a ranking by meaning: the nearest hit is 1 and the last is 0, because the cosines of a model have no fixed zero: those
 * of unrelated texts are similar to each other. Pure.
 * @param hits nearest first
 */
function rankMeaning(hits: readonly SearchHit[]): Ranking {
  return rank(hits, hits.at(-1)?.score ?? 0);
}

function rank(hits: readonly SearchHit[], zero: number): Ranking {
  const best = hits[0]?.score ?? 0;
  const places = new Map<string, Place>();
  let place = 1;
  for (const [index, { id, score }] of hits.entries()) {
    if (score !== hits[index - 1]?.score) place = index + 1;
    // If all are equally near, none is the last.
    const scaled = best > zero ? (score - zero) / (best - zero) : 1;
    places.set(id, { rank: place, score, scaled });
  }
  return places;
}

/**
 * Fuses both rankings to one score, 0 to 1. A memory has 0 if a ranking does not have it.
 *
 * Words count by the share of the query's words that the memory has: one that shares a single common word with a question may be
 * the best by words, and still be irrelevant. Pure.
 * @param meaningShare the share of meaning in the sum, 0 to 1 (`Embedder.meaningShare`)
 */
export function fuse(
  { words, meaning }: { readonly words: Place | undefined; readonly meaning: Place | undefined },
  { coverage, meaningShare }: { readonly coverage: number; readonly meaningShare: number },
): number {
  return meaningShare * (meaning?.scaled ?? 0) + (1 - meaningShare) * coverage * (words?.scaled ?? 0);
}
