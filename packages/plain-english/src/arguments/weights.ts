import type { Slot } from './slots';
import learned from './weights.json';

/** Weights of features by what they are for: any parameter, required or optional ones, or those of a kind. */
export type WeightTable = Readonly<Record<string, Readonly<Record<string, number>>>>;
/** Weights of measures by name. */
export type Measures = Readonly<Record<string, number>>;

/** What is learned of labelled calls. */
export interface CallWeights {
  /** How values of parameters are weighed. */
  readonly slots: WeightTable;
  /** How tools are weighed. */
  readonly tools: Measures;
  /** How sure a call with all its values is. */
  readonly sure: Measures;
}

let weights: CallWeights = learned;
/** Sums of rows, by the names of the rows: parameters are new with each text, and few of them differ in their rows. */
let cache = new Map<string, Map<string, number>>();
/** What a pronoun points to is in no labelled text of one call, so it is not learned: it is worth more than most values. */
const POINTED = { pointed: 4, 'pointed likely': 1 };

/** Reads with other weights than those of the package; training measures with weights that have not seen a file. */
export function withWeights<T>(others: Partial<CallWeights>, read: () => T): T {
  const own = weights;
  [weights, cache] = [{ ...own, ...others }, new Map<string, Map<string, number>>()];
  try {
    return read();
  } finally {
    [weights, cache] = [own, new Map<string, Map<string, number>>()];
  }
}

/** The rows of the table that hold for a parameter. */
export function rowsOf({ kinds, parameter }: Slot): string[] {
  return ['any', parameter.required ? 'required' : 'optional', ...kinds];
}

/** How much features say for a value of a parameter: the logarithm of odds, up to a constant of the parameter. */
export function scoreOf(slot: Slot, features: readonly string[]): number {
  const own = weightsOf(slot);
  return features.reduce((sum, feature) => sum + (own.get(feature) ?? 0), 0);
}

/** The sum of measures, each times its weight. */
export function weigh(kind: 'tools' | 'sure', measures: Measures): number {
  return Object.entries(measures).reduce((sum, [name, value]) => sum + (weights[kind][name] ?? 0) * value, 0);
}

function weightsOf(slot: Slot): Map<string, number> {
  const rows = rowsOf(slot);
  const key = rows.join();
  const known = cache.get(key);
  if (known) return known;
  const own = new Map<string, number>(Object.entries(POINTED));
  for (const row of rows)
    for (const [feature, weight] of Object.entries(weights.slots[row] ?? {}))
      own.set(feature, (own.get(feature) ?? 0) + weight);
  cache.set(key, own);
  return own;
}
