/** The confidence below which a query leaves doubt, unless its caller says otherwise; 0 to 1. */
export const DOUBT_BELOW = 0.7;
/** How much the text around a query counts beside the query itself; 0: not at all, 1: as much. */
const WEIGHT = 0.3;

/**
 * Probabilities of the classes of a query in the light of those of the text around it: a product of experts (Hinton,
 * 2002) in which the text around weighs less. Pure.
 */
export function weighSurroundings(query: readonly number[], around: readonly number[]): number[] {
  const shares = query.map((share, index) => share * (around[index] ?? 0) ** WEIGHT);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}
