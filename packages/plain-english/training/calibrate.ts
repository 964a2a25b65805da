import { toProbabilities } from '../src/intents/probabilities';

/** What a model says of a sentence, and the index of the class that is right. */
export interface Prediction {
  readonly logits: readonly number[];
  readonly label: number;
}

const MIN_TEMPERATURE = 0.3;
const MAX_TEMPERATURE = 5;
const ROUNDS = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The temperature at which the labels are most likely, by golden-section search over a function with one minimum
 * (Press et al., Numerical Recipes, 10.2). Deterministic.
 */
export function fitTemperature(predictions: readonly Prediction[]): number {
  const loss = (temperature: number): number =>
    predictions.reduce((sum, { logits, label }) => {
      const probability = toProbabilities(logits, temperature)[label] ?? 0;
      return sum - Math.log(Math.max(1e-12, probability));
    }, 0);
  let [low, high] = [MIN_TEMPERATURE, MAX_TEMPERATURE];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = high - GOLDEN * (high - low);
    const second = low + GOLDEN * (high - low);
    if (loss(first) < loss(second)) high = second;
    else low = first;
  }
  return (low + high) / 2;
}
