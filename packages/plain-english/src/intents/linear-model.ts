import type { FeatureSettings, Features } from './features';

/** Weights of a linear model, class after class, as 8-bit steps of one scale a class. */
export interface LinearModel {
  readonly size: number;
  readonly steps: Int8Array;
  readonly scales: readonly number[];
  readonly biases: readonly number[];
}

/** What model.json holds beside the metrics of its training. */
export interface StoredModel {
  /** Of the sentences and of what the features make of them; a test compares it with today's. */
  readonly dataHash: string;
  readonly settings: FeatureSettings;
  readonly temperature: number;
  readonly scales: readonly number[];
  readonly biases: readonly number[];
  /** Base64 of the 8-bit steps. */
  readonly weights: string;
}

const MAX_STEP = 127;

/** Rounds weights to 8 bits a weight: the file is a thirtieth of the numbers' text, and loses no measurable accuracy. */
export function quantise(weights: Float64Array, biases: readonly number[]): LinearModel {
  const size = weights.length / biases.length;
  const scales = biases.map((_, type) => {
    const row = weights.subarray(type * size, (type + 1) * size);
    const most = row.reduce((top, weight) => Math.max(top, Math.abs(weight)), 1e-9);
    return most / MAX_STEP;
  });
  const steps = Int8Array.from(weights, (weight, at) =>
    Math.round(weight / (scales[Math.floor(at / size)] ?? 1)),
  );
  return { size, steps, scales, biases };
}

export function encodeWeights({ steps }: LinearModel): string {
  return Buffer.from(steps.buffer, steps.byteOffset, steps.byteLength).toString('base64');
}

/** @throws RangeError where the weights are not as many as the biases ask for */
export function decodeModel(stored: StoredModel): LinearModel {
  const bytes = Buffer.from(stored.weights, 'base64');
  if (bytes.length === 0 || bytes.length % stored.biases.length !== 0)
    throw new RangeError('The weights of the intent model are cut off.');
  return {
    size: bytes.length / stored.biases.length,
    steps: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    scales: stored.scales,
    biases: stored.biases,
  };
}

/** A score a class; differences of scores are logarithms of odds. */
export function scoreClasses(model: LinearModel, { places, values }: Features): number[] {
  return model.biases.map((bias, type) => {
    const row = type * model.size;
    let sum = 0;
    for (let at = 0; at < places.length; at += 1)
      sum += (model.steps[row + (places[at] ?? 0)] ?? 0) * (values[at] ?? 0);
    return bias + sum * (model.scales[type] ?? 0);
  });
}

/** How much more one place of weight 1 speaks for a class than for the others on average. */
export function speaksFor(model: LinearModel, place: number, type: number): number {
  const weight = (of: number): number =>
    (model.steps[of * model.size + place] ?? 0) * (model.scales[of] ?? 0);
  const classes = model.biases.length;
  const all = model.biases.reduce((sum, _, of) => sum + weight(of), 0);
  return weight(type) - (all - weight(type)) / (classes - 1);
}
