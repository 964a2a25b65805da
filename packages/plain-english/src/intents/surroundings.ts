/** The confidence below which a query leaves doubt, unless its caller says otherwise; 0 to 1. */
export const DOUBT_BELOW = 0.7;
/** How much the text around a query counts beside the query itself; 0: not at all, 1: as much. */
const WEIGHT = 0.3;
/** Longest text taken from a context, characters. */
const MOST_TEXT = 1_000;
const MOST_LEVELS = 8;

/**
 * Probabilities of the classes of a query in the light of those of the text around it: a product of experts (Hinton,
 * 2002) in which the text around weighs less. Pure.
 */
export function weighSurroundings(query: readonly number[], around: readonly number[]): number[] {
  const shares = query.map((share, index) => share * (around[index] ?? 0) ** WEIGHT);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

/** The texts in a context, whatever its form: names of properties are no texts. Pure. */
export function textOfContext(context: Readonly<Record<string, unknown>>): string {
  let text = '';
  let level: unknown[] = [context];
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth += 1) {
    for (const value of level) {
      if (typeof value === 'string') text += text === '' ? value : `\n${value}`;
      if (text.length >= MOST_TEXT) return text.slice(0, MOST_TEXT);
    }
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return text;
}
