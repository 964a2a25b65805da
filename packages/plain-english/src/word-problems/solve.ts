import { evaluate, type Expression } from '../arithmetic/expression';
import { solveChanges } from './changes';
import { solveComparison, solvePercentage } from './comparisons';
import type { Fact } from './fact';
import type { Question } from './question';
import { solveAverage, solveRates, solveTotal } from './rates';
import { solveShares } from './shares';

export type Solution =
  | { readonly kind: 'one'; readonly expression: Expression }
  /** Several ways to understand the story, with different answers. */
  | { readonly kind: 'several' }
  | { readonly kind: 'none' };

type Solver = (facts: readonly Fact[], question: Question, text: string) => Expression | undefined;

const SOLVERS: readonly Solver[] = [
  solveRates,
  solveShares,
  solveChanges,
  solveComparison,
  solvePercentage,
  solveTotal,
  solveAverage,
];

/** The calculation that a story asks for. Each kind of story is tried; where two fit, neither is certain. */
export function solveStory(facts: readonly Fact[], question: Question, text: string): Solution {
  const found = SOLVERS.flatMap((solve) => solve(facts, question, text) ?? []);
  const [first, ...others] = found;
  if (!first) return { kind: 'none' };
  const value = evaluate(first);
  return others.every((other) => evaluate(other) === value)
    ? { kind: 'one', expression: first }
    : { kind: 'several' };
}
