import { encodeWeights, type StoredModel } from '../linear-model';
import { CHOSEN, crossValidate, METHODS, type Comparison } from './compare';
import { GROUPS, MORE_GROUPS, sentencesOf, trainingHash } from './data';
import { fitLinear } from './fit';
import type { Metrics } from './metrics';
import { SETTINGS } from './settings';

/** The model with the cross-validated figures of its training, as model.json keeps it. */
export interface TrainedModel extends StoredModel {
  readonly crossValidated: Metrics;
}

/**
 * Measures the methods, calibrates the chosen one on predictions it made unseen, and trains it on everything.
 * Deterministic except for the times.
 */
export function trainIntents(names: readonly string[] = Object.keys(METHODS)): {
  readonly model: TrainedModel;
  readonly comparisons: readonly Comparison[];
} {
  const comparisons = [...new Set([...names, CHOSEN])].map(crossValidate);
  const chosen = comparisons.find(({ name }) => name === CHOSEN);
  if (chosen === undefined) throw new RangeError(`${CHOSEN} was not measured.`);
  const linear = fitLinear(sentencesOf([...GROUPS, ...MORE_GROUPS]), SETTINGS);
  const model = {
    dataHash: trainingHash(SETTINGS),
    settings: SETTINGS,
    temperature: round(chosen.temperature),
    scales: linear.scales.map(round),
    biases: linear.biases.map(round),
    crossValidated: chosen.metrics,
    weights: encodeWeights(linear),
  };
  return { model, comparisons };
}

const round = (value: number): number => Number(value.toPrecision(6));
