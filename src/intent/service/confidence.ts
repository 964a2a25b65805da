import { INTENT_TYPES, type IntentType } from '../../contracts/intent-types';

/** How likely a query is of each type. */
export type Opinion = Readonly<Record<IntentType, number>>;

/** Types less likely than this are no alternatives. */
const MIN_ALTERNATIVE = 0.05;

/**
 * The confidence in a type that two judges name who do not know of each other: the product of their odds, over the odds of
 * a guess among the types (Bayes' rule for independent evidence). Never less than the first's own. Pure.
 */
export function agreedConfidence(first: number, second: number): number {
  const guess = 1 / INTENT_TYPES.length;
  const odds = (share: number): number => share / Math.max(1e-9, 1 - share);
  const both = (odds(first) * odds(second)) / odds(guess);
  return Math.max(first, both / (1 + both));
}

/** What else a query may be, the likeliest first. Pure. */
export function alternativesTo(
  type: IntentType,
  opinion: Opinion,
): { readonly type: IntentType; readonly confidence: number }[] {
  return INTENT_TYPES.filter((each) => each !== type && opinion[each] >= MIN_ALTERNATIVE)
    .map((each) => ({ type: each, confidence: opinion[each] }))
    .sort((one, other) => other.confidence - one.confidence);
}
