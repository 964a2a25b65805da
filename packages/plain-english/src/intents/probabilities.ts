import { INTENT_TYPES, type IntentType } from './intent-types';

/**
 * The most that a hint multiplies the odds of its type by. A type that is more than three times as likely as the
 * hinted one stays ahead, so from a confidence of 0.75 on no hint changes the answer.
 */
export const HINT_ODDS = 3;

/**
 * Probabilities of the classes: a softmax with temperature (Guo et al., 2017), then the hint's odds. Pure.
 *
 * @param temperature above 1 makes the model less sure of itself
 */
export function toProbabilities(logits: readonly number[], temperature: number, hint?: IntentType): number[] {
  const most = Math.max(...logits);
  const shares = logits.map((logit, type) => {
    const share = Math.exp((logit - most) / temperature);
    return INTENT_TYPES[type] === hint ? share * HINT_ODDS : share;
  });
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}
