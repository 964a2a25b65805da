import { toProbabilities } from '../src/intents/probabilities';

/** Logits of a prediction made without having seen the sentence or its paraphrases. */
export interface Unseen {
  readonly logits: readonly number[];
  readonly label: number;
}

const LOWEST = 0.3;
const HIGHEST = 5;
const ROUNDS = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The temperature at which the labels are most likely, by golden-section search over a function with one minimum
 * (Press et al., Numerical Recipes, 10.2). Deterministic.
 */
export function fitTemperature(predictions: readonly Unseen[]): number {
  const loss = (temperature: number): number =>
    predictions.reduce(
      (sum, { logits, label }) =>
        sum - Math.log(Math.max(1e-12, toProbabilities(logits, temperature)[label] ?? 0)),
      0,
    );
  let [low, high] = [LOWEST, HIGHEST];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = high - GOLDEN * (high - low);
    const second = low + GOLDEN * (high - low);
    if (loss(first) < loss(second)) high = second;
    else low = first;
  }
  return (low + high) / 2;
}
