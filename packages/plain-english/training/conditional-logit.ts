import { minimise } from './lbfgs';

/** One of several options: the numbers of its features, with their values. */
export interface Option {
  readonly places: Int32Array;
  readonly values: Float64Array;
}

/** A choice among options of which some are right. */
export interface Choice {
  readonly options: readonly Option[];
  /** Indexes of the right options; their probabilities are added up. */
  readonly right: readonly number[];
}

export interface TrainingOptions {
  readonly l2: number;
  readonly iterations: number;
}

/**
 * Conditional logit: minimises the mean of -log p(one of the right options) plus l2/2 of the squared weights (McFadden,
 * Conditional Logit Analysis of Qualitative Choice Behavior, 1974). A feature has one weight, whatever the option.
 */
export function trainChoices(
  choices: readonly Choice[],
  size: number,
  { l2, iterations }: TrainingOptions,
): Float64Array {
  const share = 1 / choices.length;
  const objective = (point: Float64Array, gradient: Float64Array): number => {
    let loss = 0;
    for (let at = 0; at < size; at += 1) {
      const weight = point[at] as number;
      loss += 0.5 * l2 * weight * weight;
      gradient[at] = l2 * weight;
    }
    for (const { options, right } of choices) {
      const scores = options.map((option) => dot(point, option));
      const all = softmax(scores);
      const best = softmax(right.map((index) => scores[index] as number));
      loss += share * (all.logTotal - best.logTotal);
      for (let index = 0; index < options.length; index += 1) {
        const rank = right.indexOf(index);
        const error = (all.parts[index] as number) - (rank === -1 ? 0 : (best.parts[rank] as number));
        if (Math.abs(error) > MIN_ERROR) addTo(gradient, options[index] as Option, share * error);
      }
    }
    return loss;
  };
  return minimise(objective, size, iterations);
}

/** An option whose share is off by less changes no weight by what is kept of it. */
const MIN_ERROR = 1e-9;

function dot(point: Float64Array, { places, values }: Option): number {
  let total = 0;
  for (let at = 0; at < places.length; at += 1)
    total += (point[places[at] as number] as number) * (values[at] as number);
  return total;
}

function addTo(gradient: Float64Array, { places, values }: Option, error: number): void {
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    gradient[place] = (gradient[place] as number) + error * (values[at] as number);
  }
}

function softmax(scores: readonly number[]): {
  readonly parts: readonly number[];
  readonly logTotal: number;
} {
  const highest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - highest));
  const total = exponentials.reduce((one, other) => one + other, 0);
  return { parts: exponentials.map((one) => one / total), logTotal: highest + Math.log(total) };
}
