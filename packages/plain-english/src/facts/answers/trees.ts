import { type Features, scoreOf, type Weights } from './features';

/** Numbers to add to the score of a candidate, by which of its features are above bounds. */
export type Tree = number | Branch;

interface Branch {
  readonly feature: string;
  readonly above: number;
  readonly then: Tree;
  readonly else: Tree;
}

/** What trees together add to the score of a candidate. */
export function addedBy(trees: readonly Tree[], features: Features): number {
  return trees.reduce<number>((sum, tree) => sum + leafOf(tree, features), 0);
}

function leafOf(tree: Tree, features: Features): number {
  let at = tree;
  while (typeof at !== 'number') at = (features.get(at.feature) ?? 0) > at.above ? at.then : at.else;
  return at;
}

/** The shares of candidates of which one is right, by weights and trees; they add up to 1. */
export function sharesOf(
  candidates: readonly Features[],
  weights: Weights,
  trees: readonly Tree[] = [],
): number[] {
  const scores = candidates.map((one) => scoreOf(one, weights) + addedBy(trees, one));
  const top = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - top));
  const sum = raised.reduce((one, other) => one + other, 0);
  return raised.map((one) => one / sum);
}
