import type { Features } from './features';

/** Weights of a linear model, class after class, as 8-bit steps of one scale for each class. */
export interface LinearModel {
  /** The number of places of a class. */
  readonly size: number;
  readonly steps: Int8Array;
  readonly scales: readonly number[];
  readonly biases: readonly number[];
}

/** The contents of model.json. */
export interface StoredModel {
  /** A digest of the training data and of their features. A test compares it with today's. */
  readonly digest: string;
  /** The number of places that the hashed features share. */
  readonly buckets: number;
  readonly temperature: number;
  readonly scales: readonly number[];
  readonly biases: readonly number[];
  /** The 8-bit steps in Base64. */
  readonly weights: string;
}

/** @throws RangeError if the number of weights does not fit the number of biases */
export function decodeModel({ weights, scales, biases }: StoredModel): LinearModel {
  const bytes = Buffer.from(weights, 'base64');
  if (bytes.length === 0 || bytes.length % biases.length !== 0)
    throw new RangeError('The weights of the intent model are cut off.');
  const steps = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: bytes.length / biases.length, steps, scales, biases };
}

/** A score for each class; differences of scores are logarithms of odds. */
export function scoreClasses(model: LinearModel, { places, values }: Features): number[] {
  return model.biases.map((bias, type) => {
    const row = type * model.size;
    let sum = 0;
    for (let at = 0; at < places.length; at += 1)
      sum += (model.steps[row + (places[at] ?? 0)] ?? 0) * (values[at] ?? 0);
    return bias + sum * (model.scales[type] ?? 0);
  });
}

/** How much more a place speaks for a class than for the other classes on average. */
export function speaksFor(model: LinearModel, place: number, type: number): number {
  const weights = model.scales.map((scale, of) => scale * (model.steps[of * model.size + place] ?? 0));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const ownWeight = weights[type] ?? 0;
  return ownWeight - (all - ownWeight) / (weights.length - 1);
}
