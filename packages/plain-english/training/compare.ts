import { extractFeatures, type FeatureSettings } from '../src/intents/features';
import { scoreClasses } from '../src/intents/linear-model';
import { toProbabilities } from '../src/intents/probabilities';
import { INTENT_TYPES } from '../src/intents/intent-types';
import { fitTemperature, type Unseen } from './calibrate';
import { FOREIGN_GROUPS, GROUPS, OWN_GROUPS, sentencesOf } from './data';
import { fitLinear } from './fit';
import { assignFolds } from './folds';
import { measure, type Metrics, type Outcome } from './metrics';
import { nearestClassifier } from './nearest';
import { classifyByRules } from './rules';
import type { Sentence } from './sentence';
import { FOLDS, SETTINGS } from './settings';

/** Probabilities, or logits that are scaled to fit afterwards. */
type Predict = (sentence: Sentence) => number[];
type Method = (training: readonly Sentence[]) => Predict;

export interface Comparison {
  readonly name: string;
  readonly crossValidated: Metrics;
  /** Trained without the sentences of the author on whom it is measured. */
  readonly foreign: Metrics;
  readonly temperature: number;
  readonly msPerQuery: number;
}

const PLAIN: FeatureSettings = {
  ...SETTINGS,
  scales: { ...SETTINGS.scales, classes: 0, tail: 0, pairs: 0, cues: 0 },
};

function linear(settings: FeatureSettings, enlarge: boolean): Method {
  return (training) => {
    const model = fitLinear(training, settings, enlarge);
    return ({ query, previous }) => scoreClasses(model, extractFeatures(query, previous, settings));
  };
}

const logs = (shares: readonly number[]): number[] => shares.map((share) => Math.log(Math.max(1e-6, share)));

const nearest: Method = (training) => {
  const predict = nearestClassifier(training);
  return (sentence) => logs(predict(sentence));
};

/** What is measured side by side; CHOSEN is what the service runs. */
export const METHODS: Readonly<Record<string, Method>> = {
  rules: () => (sentence) => logs(classifyByRules(sentence)),
  'nearest sentences, TF-IDF': nearest,
  'logistic regression, words and characters': linear(PLAIN, false),
  'logistic regression, all features': linear(SETTINGS, false),
  'logistic regression, all features, enlarged data': linear(SETTINGS, true),
};

export const CHOSEN = 'logistic regression, all features, enlarged data';

/**
 * Measures a method twice. Grouped cross-validation: no paraphrase of a sentence is in the training set that predicts
 * it; the temperature is fitted on these predictions. And trained on one part of the authors, tested on another.
 */
export function compare(name: string): Comparison {
  const method = METHODS[name];
  if (method === undefined) throw new RangeError(`There is no method ${name}.`);
  const folds = assignFolds(GROUPS, FOLDS.count, FOLDS.seed);
  const all = sentencesOf(GROUPS);
  let spent = 0;
  const unseen: Unseen[] = [];
  for (let fold = 0; fold < FOLDS.count; fold += 1) {
    const predict = method(all.filter(({ group }) => folds.get(group) !== fold));
    const tested = all.filter(({ group }) => folds.get(group) === fold);
    const startedAt = performance.now();
    unseen.push(...predictAll(predict, tested));
    spent += performance.now() - startedAt;
  }
  const temperature = fitTemperature(unseen);
  const foreign = predictAll(method(sentencesOf(OWN_GROUPS)), sentencesOf(FOREIGN_GROUPS));
  return {
    name,
    crossValidated: measure(scaled(unseen, temperature)),
    foreign: measure(scaled(foreign, temperature)),
    temperature,
    msPerQuery: spent / unseen.length,
  };
}

function predictAll(predict: Predict, sentences: readonly Sentence[]): Unseen[] {
  return sentences.map((sentence) => ({
    logits: predict(sentence),
    label: INTENT_TYPES.indexOf(sentence.type),
  }));
}

function scaled(predictions: readonly Unseen[], temperature: number): Outcome[] {
  return predictions.map(({ logits, label }) => ({
    label,
    probabilities: toProbabilities(logits, temperature),
  }));
}
