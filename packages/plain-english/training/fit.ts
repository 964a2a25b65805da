import { extractFeatures, featureCount, type FeatureSettings } from '../src/intents/features';
import { quantise, type LinearModel } from '../src/intents/linear-model';
import { INTENT_TYPES } from '../src/intents/intent-types';
import { composeSentences, composeThemes, tellStories } from './compose';
import { FRAGMENTS, THEMES } from './data';
import { trainLogistic } from './logistic';
import { roughen } from './roughen';
import type { Sentence } from './sentence';
import { COMPOSE, ROUGHEN, TRAINING } from './settings';

/** Trains the linear model on sentences and on what is made of them; deterministic. */
export function fitLinear(
  sentences: readonly Sentence[],
  settings: FeatureSettings,
  enlarge = true,
): LinearModel {
  const added = enlarge
    ? [
        ...composeSentences(FRAGMENTS, COMPOSE),
        ...composeThemes(THEMES, COMPOSE),
        ...roughen(sentences, ROUGHEN),
        ...tellStories(sentences, FRAGMENTS, COMPOSE),
      ]
    : [];
  // Every type counts the same, however many sentences it has.
  const sizes = INTENT_TYPES.map((type) => sentences.filter((sentence) => sentence.type === type).length);
  const examples = [...sentences, ...added].map(({ query, previous, type, weight }) => {
    const { places, values } = extractFeatures(query, previous, settings);
    const label = INTENT_TYPES.indexOf(type);
    return { places, values, label, weight: weight / Math.max(1, sizes[label] ?? 1) };
  });
  const { weights, biases } = trainLogistic(examples, INTENT_TYPES.length, featureCount(settings), TRAINING);
  return quantise(weights, [...biases]);
}
