import { minimise } from './lbfgs';

/** A labelled sentence as numbers. */
export interface Example {
  readonly places: Int32Array;
  readonly values: Float64Array;
  /** Index of the class. */
  readonly label: number;
  readonly weight: number;
}

/** Weights by class after class, then one bias a class. */
export interface LinearWeights {
  readonly classes: number;
  readonly size: number;
  readonly weights: Float64Array;
  readonly biases: Float64Array;
}

/**
 * Multinomial logistic regression: minimises the weighted mean of -log p(label) plus l2/2 of the squared weights,
 * biases free (Bishop, Pattern Recognition and Machine Learning, 4.3.4). Convex, hence independent of the start.
 */
export function trainLogistic(
  examples: readonly Example[],
  classes: number,
  size: number,
  options: { readonly l2: number; readonly iterations: number },
): LinearWeights {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const length = classes * size;
  const logits = new Float64Array(classes);
  const objective = (point: Float64Array, gradient: Float64Array): number => {
    let loss = 0;
    for (let at = 0; at < length; at += 1) {
      const weight = point[at] as number;
      loss += 0.5 * options.l2 * weight * weight;
      gradient[at] = options.l2 * weight;
    }
    gradient.fill(0, length);
    for (const { places, values, label, weight } of examples) {
      score(point, size, classes, places, values, logits);
      loss -= (weight / total) * (logits[label] as number);
      const share = weight / total;
      loss += share * softmaxInPlace(logits);
      for (let type = 0; type < classes; type += 1) {
        const error = share * ((logits[type] as number) - (type === label ? 1 : 0));
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
  const point = minimise(objective, length + classes, options.iterations);
  return { classes, size, weights: point.slice(0, length), biases: point.slice(length) };
}

function score(
  point: Float64Array,
  size: number,
  classes: number,
  places: Int32Array,
  values: Float64Array,
  out: Float64Array,
): void {
  for (let type = 0; type < classes; type += 1) {
    let sum = point[classes * size + type] as number;
    const row = type * size;
    for (let at = 0; at < places.length; at += 1)
      sum += (point[row + (places[at] as number)] as number) * (values[at] as number);
    out[type] = sum;
  }
}

/** Turns logits into probabilities and returns the logarithm of their sum of exponentials. */
function softmaxInPlace(logits: Float64Array): number {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  let sum = 0;
  for (let at = 0; at < logits.length; at += 1) sum += logits[at] = Math.exp((logits[at] as number) - most);
  for (let at = 0; at < logits.length; at += 1) logits[at] = (logits[at] as number) / sum;
  return most + Math.log(sum);
}
