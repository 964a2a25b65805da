import type { ModelChoice } from '../contracts/runs/workflows';

/** A model is left this many tokens for its answer if its caller names no limit, and never more than a quarter of its context. */
const ANSWER_TOKENS = 1_024;
const MAX_ANSWER_SHARE = 0.25;

/** The tokens that a prompt may have in a context of a size. Pure. */
export function roomFor(size: number, { maxTokens = ANSWER_TOKENS }: Pick<ModelChoice, 'maxTokens'>): number {
  return size - Math.min(maxTokens, size * MAX_ANSWER_SHARE);
}
