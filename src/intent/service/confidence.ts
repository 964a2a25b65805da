import { INTENT_TYPES, type IntentType } from '../../contracts/intent-types';

/** The probability of each type for a query. */
export type Opinion = Readonly<Record<IntentType, number>>;

/** Minimum probability of an alternative. */
const MIN_ALTERNATIVE = 0.05;

/**
 * The confidence in a type that two independent classifiers name: the product of their odds, over the odds of a guess
 * among the types (Bayes' rule for independent evidence). Never less than the confidence of the first. Pure.
 */
export function agreedConfidence(first: number, second: number): number {
  const guess = 1 / INTENT_TYPES.length;
  const odds = (share: number): number => share / Math.max(1e-9, 1 - share);
  const both = (odds(first) * odds(second)) / odds(guess);
  return Math.max(first, both / (1 + both));
}

/** The other types that a query may have, the likeliest first. Pure. */
export function alternativesTo(
  type: IntentType,
  opinion: Opinion,
): { readonly type: IntentType; readonly confidence: number }[] {
  return INTENT_TYPES.filter((each) => each !== type && opinion[each] >= MIN_ALTERNATIVE)
    .map((each) => ({ type: each, confidence: opinion[each] }))
    .sort((one, other) => other.confidence - one.confidence);
}
