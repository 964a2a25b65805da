import { encodeWeights, type StoredModel } from '../src/intents/linear-model';
import { CHOSEN, compare, METHODS, type Comparison } from './compare';
import { GROUPS, sentencesOf, trainingHash } from './data';
import { fitLinear } from './fit';
import type { Metrics } from './metrics';
import { SETTINGS } from './settings';

/** The model with the cross-validated figures of its training, as model.json keeps it. */
export interface TrainedModel extends StoredModel {
  readonly crossValidated: Metrics;
  /** On sentences of an author whose sentences took no part in the training that is measured. */
  readonly foreign: Metrics;
}

/**
 * Measures the methods, calibrates the chosen one on predictions it made unseen, and trains it on everything.
 * Deterministic except for the times.
 */
export function trainIntents(names: readonly string[] = Object.keys(METHODS)): {
  readonly model: TrainedModel;
  readonly comparisons: readonly Comparison[];
} {
  const comparisons = [...new Set([...names, CHOSEN])].map(compare);
  const chosen = comparisons.find(({ name }) => name === CHOSEN);
  if (chosen === undefined) throw new RangeError(`${CHOSEN} was not measured.`);
  const linear = fitLinear(sentencesOf(GROUPS), SETTINGS);
  const model = {
    dataHash: trainingHash(SETTINGS),
    settings: SETTINGS,
    temperature: round(chosen.temperature),
    scales: linear.scales.map(round),
    biases: linear.biases.map(round),
    crossValidated: chosen.crossValidated,
    foreign: chosen.foreign,
    weights: encodeWeights(linear),
  };
  return { model, comparisons };
}

const round = (value: number): number => Number(value.toPrecision(6));
