import { INTENT_TYPES, type IntentType } from './intent-types';

/**
 * The number by which a hint multiplies the odds of its type. A type that is more than three times as likely as the
 * hinted one stays ahead, so from a confidence of 0.75 on no hint changes the answer.
 */
export const HINT_ODDS = 3;

/**
 * Probabilities of the classes: a softmax with temperature (Guo et al., 2017), then the hint's odds. Pure.
 *
 * @param temperature above 1 makes the model less sure of itself
 */
export function toProbabilities(logits: readonly number[], temperature: number, hint?: IntentType): number[] {
  const max = Math.max(...logits);
  return normalise(
    logits.map((logit, type) => {
      const share = Math.exp((logit - max) / temperature);
      return INTENT_TYPES[type] === hint ? share * HINT_ODDS : share;
    }),
  );
}

/** The confidence below which a query leaves doubt, unless its caller says otherwise; 0 to 1. */
export const DOUBT_BELOW = 0.7;
/** How much the text around a query counts beside the query itself. 0: not at all, 1: as much. */
const SURROUNDINGS_WEIGHT = 0.3;

/**
 * Probabilities of the classes of a query in the light of those of the text around it: a product of experts (Hinton,
 * 2002) in which the text around weighs less. Pure.
 */
export function weighSurroundings(query: readonly number[], around: readonly number[]): number[] {
  return normalise(query.map((share, index) => share * (around[index] ?? 0) ** SURROUNDINGS_WEIGHT));
}

function normalise(shares: readonly number[]): number[] {
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}
