import type { SearchHit } from '../../stores/memory/search';

/** The constant of reciprocal rank fusion, with the value of its authors. */
const K = 60;

/**
 * Fuses several rankings, each best first: each gives an item 1 / (60 + rank), and their sum decides (Cormack, Clarke
 * and Büttcher, "Reciprocal Rank Fusion", 2009). Items with equal scores share a rank, so that chance does not order
 * them. Pure.
 * @returns the sums, by id
 */
export function fuseRankings(rankings: readonly (readonly SearchHit[])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const ranking of rankings) {
    let rank = 1;
    for (const [index, { id, score }] of ranking.entries()) {
      if (score !== ranking[index - 1]?.score) rank = index + 1;
      sums.set(id, (sums.get(id) ?? 0) + 1 / (K + rank));
    }
  }
  return sums;
}
