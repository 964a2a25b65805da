import type { Slot } from './slots';
import learned from './weights.json';

/** Weights of features by what they are for: any parameter, required or optional ones, or those of a kind. */
export type WeightTable = Readonly<Record<string, Readonly<Record<string, number>>>>;

const TABLE: WeightTable = learned.slots;
/** What a pronoun points to is in no labelled text of one call, so it is not learned: it is worth more than most values. */
const POINTED = { pointed: 4, 'pointed likely': 1 };
const cache = new WeakMap<Slot, Map<string, number>>();

/** The rows of the table that hold for a parameter. */
export function rowsOf({ kinds, parameter }: Slot): string[] {
  return ['any', parameter.required ? 'required' : 'optional', ...kinds];
}

/** How much features say for a value of a parameter. */
export type Scorer = (slot: Slot, features: readonly string[]) => number;

/** How much features say for a value of a parameter: the logarithm of odds, up to a constant of the parameter. */
export function scoreOf(slot: Slot, features: readonly string[]): number {
  const weights = weightsOf(slot);
  return features.reduce((sum, feature) => sum + (weights.get(feature) ?? 0), 0);
}

function weightsOf(slot: Slot): Map<string, number> {
  const known = cache.get(slot);
  if (known) return known;
  const weights = new Map<string, number>(Object.entries(POINTED));
  for (const row of rowsOf(slot))
    for (const [feature, weight] of Object.entries(TABLE[row] ?? {}))
      weights.set(feature, (weights.get(feature) ?? 0) + weight);
  cache.set(slot, weights);
  return weights;
}
