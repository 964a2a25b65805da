import { extractFeatures, type FeatureSettings } from '../features';
import { scoreClasses } from '../linear-model';
import { toProbabilities } from '../probabilities';
import { INTENT_TYPES } from '../../contracts/intents';
import { fitTemperature, type Unseen } from './calibrate';
import { GROUPS, MORE_GROUPS, sentencesOf } from './data';
import { fitLinear } from './fit';
import { assignFolds } from './folds';
import { measure, type Metrics } from './metrics';
import { nearestClassifier } from './nearest';
import { classifyByRules } from './rules';
import type { Sentence } from './sentence';
import { FOLDS, SETTINGS } from './settings';

/** Probabilities, or logits that are scaled to fit afterwards. */
type Predict = (sentence: Sentence) => number[];
type Method = (training: readonly Sentence[]) => Predict;

export interface Comparison {
  readonly name: string;
  readonly metrics: Metrics;
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

/** The training sentences of sentences.json and nothing that was added to them. */
const untouched: Method = (training) => {
  const ids = new Set(GROUPS.map(({ id }) => id));
  return linear(SETTINGS, false)(training.filter(({ group }) => ids.has(group)));
};

const logs = (shares: readonly number[]): number[] => shares.map((share) => Math.log(Math.max(1e-6, share)));

const nearest: Method = (training) => {
  const predict = nearestClassifier(training);
  return (sentence) => logs(predict(sentence));
};

const mixed: Method = (training) => {
  const one = linear(SETTINGS, true)(training);
  const two = nearest(training);
  return (sentence) => {
    const other = two(sentence);
    return one(sentence).map((logit, type) => logit + 0.3 * (other[type] ?? 0));
  };
};

/** What is measured side by side; CHOSEN is what the service runs. */
export const METHODS: Readonly<Record<string, Method>> = {
  rules: () => (sentence) => logs(classifyByRules(sentence)),
  'nearest sentences, TF-IDF': nearest,
  'logistic regression, words and characters': linear(PLAIN, false),
  'logistic regression, all features, sentences.json alone': untouched,
  'logistic regression, all features': linear(SETTINGS, false),
  'logistic regression, all features, enlarged data': linear(SETTINGS, true),
  'mix of the last and nearest sentences': mixed,
};

export const CHOSEN = 'logistic regression, all features, enlarged data';

/**
 * Grouped cross-validation: no paraphrase of a sentence is in the training set that predicts it. Only sentences.json
 * is measured; more.json takes part in training and in fitting the temperature, its groups split likewise.
 */
export function crossValidate(name: string): Comparison {
  const method = METHODS[name];
  if (method === undefined) throw new RangeError(`There is no method ${name}.`);
  const groups = [...GROUPS, ...MORE_GROUPS];
  const folds = assignFolds(groups, FOLDS.count, FOLDS.seed);
  const all = sentencesOf(groups);
  const measured = new Set(GROUPS.map(({ id }) => id));
  const unseen: (Unseen & { readonly counts: boolean })[] = [];
  let spent = 0;
  for (let fold = 0; fold < FOLDS.count; fold += 1) {
    const predict = method(all.filter(({ group }) => folds.get(group) !== fold));
    for (const sentence of all) {
      if (folds.get(sentence.group) !== fold) continue;
      const startedAt = performance.now();
      const logits = predict(sentence);
      spent += performance.now() - startedAt;
      const label = INTENT_TYPES.indexOf(sentence.type);
      unseen.push({ logits, label, counts: measured.has(sentence.group) });
    }
  }
  const temperature = fitTemperature(unseen);
  const outcomes = unseen
    .filter(({ counts }) => counts)
    .map(({ logits, label }) => ({
      label,
      probabilities: toProbabilities(logits, temperature),
    }));
  return { name, metrics: measure(outcomes), temperature, msPerQuery: spent / unseen.length };
}
