/** The constant of reciprocal rank fusion, as its authors have it. */
const K = 60;

/**
 * Several rankings as one: each gives an item 1 / (60 + rank), and their sum decides (Cormack, Clarke and Büttcher,
 * "Reciprocal Rank Fusion", 2009). Best first; of equals the first by id. Pure.
 * @returns the sums, by id
 */
export function fuseRankings(rankings: readonly (readonly string[])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, id] of ranking.entries()) sums.set(id, (sums.get(id) ?? 0) + 1 / (K + index + 1));
  }
  const best = [...sums].sort(([oneId, one], [otherId, other]) => other - one || (oneId < otherId ? -1 : 1));
  return new Map(best);
}
