import { createHash } from 'node:crypto';
import { extractFeatures, featureCount } from '../src/intents/features';
import { INTENT_TYPES } from '../src/intents/intent-types';
import { scoreClasses, type LinearModel, type StoredModel } from '../src/intents/linear-model';
import { fitTemperature, type Prediction } from './calibrate';
import { enlarge } from './enlarge';
import { trainLogistic } from './logistic';
import { sentencesOf, type Sentence, type TrainingData } from './sentences';

/** The places that hashed features share: more of them make model.json larger than it may be. */
const BUCKETS = 49_152;
const L2 = 2e-5;
const ITERATIONS = 80;
const FOLDS = 5;
const MAX_STEP = 127;
/** The digest covers the features of one of this number of sentences. */
const DIGEST_SAMPLE = 20;

/**
 * Trains the model on all sentences. Its temperature is fitted to predictions for sentences that the predicting model has not
 * seen. Deterministic.
 */
export function trainModel(
  data: TrainingData,
  buckets = BUCKETS,
): StoredModel & { readonly crossValidated: number } {
  const unseen = crossValidate(data, buckets);
  const right = unseen.filter(({ logits, label }) => logits.indexOf(Math.max(...logits)) === label);
  const { steps, scales, biases } = fit(data, buckets);
  return {
    digest: digestOf(data, buckets),
    buckets,
    temperature: round(fitTemperature(unseen)),
    crossValidated: round(right.length / unseen.length),
    scales: scales.map(round),
    biases: biases.map(round),
    weights: Buffer.from(steps.buffer).toString('base64'),
  };
}

/** Predictions for all sentences in folds. Paraphrases are in the same fold, so that none is predicted with the help of another. */
function crossValidate(data: TrainingData, buckets: number): Prediction[] {
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const isTested = (_: unknown, index: number): boolean => index % FOLDS === fold;
    const tested = data.paraphrases.filter(isTested);
    const paraphrases = data.paraphrases.filter((one) => !tested.includes(one));
    const model = fit({ ...data, paraphrases }, buckets);
    return sentencesOf(tested).map(({ query, previous, type }) => ({
      logits: scoreClasses(model, extractFeatures(query, previous, buckets)),
      label: INTENT_TYPES.indexOf(type),
    }));
  });
}

function fit(data: TrainingData, buckets: number): LinearModel {
  const written = sentencesOf(data.paraphrases);
  // Each type counts the same, whatever its number of sentences.
  const counts = INTENT_TYPES.map((type) => written.filter((sentence) => sentence.type === type).length);
  const examples = [...written, ...enlarge(written, data)].map(
    ({ query, previous, type, weight }: Sentence) => {
      const { places, values } = extractFeatures(query, previous, buckets);
      const label = INTENT_TYPES.indexOf(type);
      return { places, values, label, weight: weight / Math.max(1, counts[label] ?? 1) };
    },
  );
  const options = {
    classes: INTENT_TYPES.length,
    size: featureCount(buckets),
    l2: L2,
    iterations: ITERATIONS,
  };
  const { weights, biases } = trainLogistic(examples, options);
  return quantise(weights, biases);
}

/** Rounds weights to 8 bits each, which makes the file a thirtieth of the numbers' text and loses no measurable accuracy. */
function quantise(weights: Float64Array, biases: readonly number[]): LinearModel {
  const size = weights.length / biases.length;
  const scales = biases.map((_, type) => {
    const row = weights.subarray(type * size, (type + 1) * size);
    return row.reduce((max, weight) => Math.max(max, Math.abs(weight)), 1e-9) / MAX_STEP;
  });
  const steps = Int8Array.from(weights, (weight, at) =>
    Math.round(weight / (scales[Math.floor(at / size)] ?? 1)),
  );
  return { size, steps, scales, biases };
}

/** A digest of the training data and of the features of a sample of it, which changes when one of both makes the stored weights stale. */
export function digestOf(data: TrainingData, buckets = BUCKETS): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([data.paraphrases, data.frames, data.followUps, [...data.lists], buckets]));
  for (const [index, { query, previous }] of sentencesOf(data.paraphrases).entries()) {
    if (index % DIGEST_SAMPLE !== 0) continue;
    const { places, values } = extractFeatures(query, previous, buckets);
    hash.update(JSON.stringify([[...places], [...values].map((value) => value.toFixed(6))]));
  }
  return hash.digest('hex');
}

const round = (value: number): number => Number(value.toPrecision(6));
