import type { Rows, Softmax } from './rows';

/** The values of features in bins. Those of a feature follow each other, from its least values to its greatest. */
export interface Bins {
  /** The place of each bin's feature. */
  readonly features: readonly number[];
  /** The greatest value of each bin; infinite for the last one of a feature. */
  readonly bounds: readonly number[];
  /** The bin of each value of the rows. */
  readonly ofValues: Int32Array;
  /** The bin of 0 for the place of each feature. Rows without the feature have it. */
  readonly ofZeros: Int32Array;
}

/** Bounds of one feature. */
const MAX_BOUNDS = 12;
const MIN_CURVATURE = 1e-4;
const DECIMALS = 3;

/** Puts the values of each feature into bins with about equally many different values each. */
export function toBins({ names, places, values }: Rows): Bins {
  const seen = names.map(() => new Set([0]));
  values.forEach((value, at) => seen[places[at] ?? 0]?.add(Number(value.toFixed(DECIMALS))));
  const features: number[] = [];
  const bounds: number[] = [];
  const firsts = seen.map((set, place) => {
    const sorted = [...set].sort((one, other) => one - other);
    const step = Math.max(1, (sorted.length - 1) / MAX_BOUNDS);
    for (let at = 0; at < sorted.length - 1; at += step) bounds.push(sorted[Math.floor(at)] ?? 0);
    bounds.push(Infinity);
    const first = features.length;
    while (features.length < bounds.length) features.push(place);
    return first;
  });
  const find = (place: number, value: number): number => {
    let bin = firsts[place] ?? 0;
    while (value > (bounds[bin] ?? Infinity)) bin++;
    return bin;
  };
  return {
    features,
    bounds,
    ofValues: Int32Array.from(values, (value, at) => find(places[at] ?? 0, value)),
    ofZeros: Int32Array.from(names, (_, place) => find(place, 0)),
  };
}

/** The bin of a row's value of a feature. */
export function binOf({ starts, places }: Rows, bins: Bins, row: number, feature: number): number {
  for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++)
    if (places[at] === feature) return bins.ofValues[at] ?? 0;
  return bins.ofZeros[feature] ?? 0;
}

/** Numbers for each bin, and behind these for all rows. */
export interface Sums {
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
  readonly counts: Float64Array;
}

/** Adds up what the loss of some rows is like. */
export function sumUp(
  { starts, places }: Rows,
  { features, ofValues, ofZeros }: Bins,
  some: readonly number[],
  { shares, excess }: Softmax,
): Sums {
  const all = features.length;
  const slopes = new Float64Array(all + 1);
  const curvatures = new Float64Array(all + 1);
  const counts = new Float64Array(all + 1);
  const add = (bin: number, slope: number, curvature: number, count: number): void => {
    slopes[bin] = (slopes[bin] ?? 0) + slope;
    curvatures[bin] = (curvatures[bin] ?? 0) + curvature;
    counts[bin] = (counts[bin] ?? 0) + count;
  };
  for (const row of some) {
    const [slope, share] = [excess[row] ?? 0, shares[row] ?? 0];
    const curvature = Math.max(MIN_CURVATURE, share * (1 - share));
    add(all, slope, curvature, 1);
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
      add(ofValues[at] ?? 0, slope, curvature, 1);
      add(ofZeros[places[at] ?? 0] ?? 0, -slope, -curvature, -1);
    }
  }
  // The bins of 0 now lack the rows that have another value, and get all of them, so that they have those without the feature.
  for (const bin of ofZeros) add(bin, slopes[all] ?? 0, curvatures[all] ?? 0, counts[all] ?? 0);
  return { slopes, curvatures, counts };
}
