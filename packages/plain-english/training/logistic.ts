import { minimise } from './lbfgs';

/** A labelled sentence as a sparse vector. */
export interface Example {
  readonly places: Int32Array;
  readonly values: Float64Array;
  /** The index of the class. */
  readonly label: number;
  readonly weight: number;
}

export interface LogisticOptions {
  readonly classes: number;
  /** The number of places. */
  readonly size: number;
  readonly l2: number;
  readonly iterations: number;
}

/**
 * Multinomial logistic regression: minimises the weighted mean of -log p(label) plus l2/2 of the squared weights, biases
 * free (Bishop, Pattern Recognition and Machine Learning, 4.3.4). Convex, and so independent of the start.
 *
 * @returns the weights, class after class
 */
export function trainLogistic(
  examples: readonly Example[],
  { classes, size, l2, iterations }: LogisticOptions,
): { readonly weights: Float64Array; readonly biases: number[] } {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const length = classes * size;
  const objective = (point: Float64Array, gradient: Float64Array): number => {
    let loss = 0;
    for (let at = 0; at < length; at += 1) {
      const weight = point[at] as number;
      loss += 0.5 * l2 * weight * weight;
      gradient[at] = l2 * weight;
    }
    for (const example of examples) {
      const { places, values, label } = example;
      const share = example.weight / total;
      const logits = scores(point, example, classes, size);
      const top = Math.max(...logits);
      const sum = logits.reduce((all, logit) => all + Math.exp(logit - top), 0);
      loss += share * (top + Math.log(sum) - (logits[label] as number));
      for (const [type, logit] of logits.entries()) {
        const error = share * (Math.exp(logit - top) / sum - (type === label ? 1 : 0));
        gradient[length + type] = (gradient[length + type] as number) + error;
        const row = type * size;
        for (let at = 0; at < places.length; at += 1) {
          const place = row + (places[at] as number);
          gradient[place] = (gradient[place] as number) + error * (values[at] as number);
        }
      }
    }
    return loss;
  };
  const point = minimise(objective, length + classes, iterations);
  return { weights: point.slice(0, length), biases: [...point.slice(length)] };
}

function scores(point: Float64Array, { places, values }: Example, classes: number, size: number): number[] {
  return Array.from({ length: classes }, (_, type) => {
    let sum = point[classes * size + type] as number;
    for (let at = 0; at < places.length; at += 1)
      sum += (point[type * size + (places[at] as number)] as number) * (values[at] as number);
    return sum;
  });
}
