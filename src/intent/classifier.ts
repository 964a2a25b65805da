import { byIntent, INTENT_TYPES } from '../contracts/intents';
import { extractFeatures } from './features';
import { decodeModel, scoreClasses, type StoredModel } from './linear-model';
import stored from './model.json';
import { toProbabilities } from './probabilities';
import { explain } from './reasoning';
import { requiredTools } from './required-tools';
import type { IntentClassifier } from './types';

/**
 * The classifier that needs no model server and no network: a linear model over words, word classes and cues,
 * trained by `npm run train-intents`. Stateless; classification reads and writes nothing.
 */
export function createBuiltinClassifier(model: StoredModel = stored): IntentClassifier {
  const weights = decodeModel(model);
  return {
    classify(query, context = {}) {
      const features = extractFeatures(query, context.previousIntents ?? [], model.settings);
      const logits = scoreClasses(weights, features);
      const shares = toProbabilities(logits, model.temperature, context.hintIntent);
      const chosen = shares.indexOf(Math.max(...shares));
      const type = INTENT_TYPES[chosen] ?? 'conversation';
      return {
        type,
        confidence: shares[chosen] ?? 0,
        probabilities: byIntent((each) => shares[INTENT_TYPES.indexOf(each)] ?? 0),
        reasoning: explain(weights, model.settings, features, shares, chosen, context),
        requiredTools: requiredTools(features.tokens, features.cues, type, context.tools ?? []),
      };
    },
  };
}
