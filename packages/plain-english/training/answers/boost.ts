import { scoreOf, type Weights } from '../../src/facts/answers/features';
import type { Tree } from '../../src/facts/answers/trees';
import { binOf, type Bins, type Sums, sumUp, toBins } from './bins';
import { emptySoftmax, type List, toRows, weigh } from './rows';

interface Options {
  readonly trees: number;
  /** The share of the best step that a tree takes. */
  readonly rate: number;
  /** Candidates on each side of a branch. */
  readonly minCandidates: number;
}

const MAX_DEPTH = 2;
/** Curvature that is added to that of each side, so that a side with few candidates adds little. */
const PRIOR = 1;
const MIN_GAIN = 1e-3;
const DECIMALS = 3;

/**
 * Fits trees that add to the scores by weights, one after the other, each to what those before it leave: gradient boosting (Friedman,
 * Greedy function approximation, 2001) of the conditional logit model, with sums over binned values. Deterministic.
 */
export function boost(lists: readonly List[], weights: Weights, options: Options): Tree[] {
  const usable = lists.filter(({ right }) => right.includes(true));
  const rows = toRows(usable);
  const bins = toBins(rows);
  const softmax = emptySoftmax(rows);
  const { scores } = softmax;
  usable.flatMap(({ candidates }) => candidates).forEach((one, row) => (scores[row] = scoreOf(one, weights)));
  const all = [...scores.keys()];

  /** Grows a tree of some rows, and adds it to their scores. */
  function grow(some: readonly number[], depth: number): Tree {
    const sums = sumUp(rows, bins, some, softmax);
    const bin = depth > 0 ? bestSplit(bins, sums, options.minCandidates) : undefined;
    if (bin === undefined) {
      const step = Number((-options.rate * stepOf(sums)).toFixed(DECIMALS));
      for (const row of some) scores[row] = (scores[row] ?? 0) + step;
      return step;
    }
    const place = bins.features[bin] ?? 0;
    const isAbove = (row: number): boolean => binOf(rows, bins, row, place) > bin;
    return {
      feature: rows.names[place] ?? '',
      above: bins.bounds[bin] ?? 0,
      then: grow(some.filter(isAbove), depth - 1),
      else: grow(
        some.filter((row) => !isAbove(row)),
        depth - 1,
      ),
    };
  }

  return Array.from({ length: options.trees }, () => {
    weigh(rows, softmax);
    return grow(all, MAX_DEPTH);
  });
}

/** How far down the slope the loss of all rows is least. */
function stepOf({ slopes, curvatures }: Sums): number {
  return (slopes.at(-1) ?? 0) / ((curvatures.at(-1) ?? 0) + PRIOR);
}

/** The bin after which a split gains most. */
function bestSplit(
  { features }: Bins,
  { slopes, curvatures, counts }: Sums,
  minCandidates: number,
): number | undefined {
  const all = features.length;
  const gainOf = (slope: number, curvature: number): number => slope ** 2 / (curvature + PRIOR);
  const [slope, curvature, count] = [slopes[all] ?? 0, curvatures[all] ?? 0, counts[all] ?? 0];
  let best: number | undefined;
  let max = gainOf(slope, curvature) + MIN_GAIN;
  const below = { slope: 0, curvature: 0, count: 0 };
  for (let bin = 0; bin < all; bin++) {
    if (features[bin] !== features[bin - 1]) Object.assign(below, { slope: 0, curvature: 0, count: 0 });
    below.slope += slopes[bin] ?? 0;
    below.curvature += curvatures[bin] ?? 0;
    below.count += counts[bin] ?? 0;
    if (Math.min(below.count, count - below.count) < minCandidates) continue;
    const gain =
      gainOf(below.slope, below.curvature) + gainOf(slope - below.slope, curvature - below.curvature);
    if (gain > max) [best, max] = [bin, gain];
  }
  return best;
}
