import { byIntent, INTENT_TYPES } from './intent-types';
import { extractFeatures } from './features';
import { decodeModel, scoreClasses, type StoredModel } from './linear-model';
import stored from './model.json';
import { toProbabilities } from './probabilities';
import { explain } from './reasoning';
import { requiredTools } from './required-tools';
import { DOUBT_BELOW, weighSurroundings } from './surroundings';
import type { IntentClassifier, IntentContext } from './types';

/**
 * The classifier that needs no model server and no network: a linear model over words, word classes and cues,
 * trained by `npm run train-intents`. Stateless; classification reads and writes nothing.
 */
export function createIntentClassifier(model: StoredModel = stored): IntentClassifier {
  const weights = decodeModel(model);

  function read(query: string, { previousIntents = [], hintIntent }: IntentContext) {
    const features = extractFeatures(query, previousIntents, model.settings);
    return {
      features,
      shares: toProbabilities(scoreClasses(weights, features), model.temperature, hintIntent),
    };
  }

  return {
    classify(query, context = {}) {
      const { surroundings = '', doubtBelow = DOUBT_BELOW, tools = [] } = context;
      const { features, shares: alone } = read(query, context);
      const inDoubt = Math.max(...alone) < doubtBelow && surroundings.trim() !== '';
      const shares = inDoubt ? weighSurroundings(alone, read(surroundings, {}).shares) : alone;
      const chosen = shares.indexOf(Math.max(...shares));
      const type = INTENT_TYPES[chosen] ?? 'conversation';
      return {
        type,
        confidence: shares[chosen] ?? 0,
        probabilities: byIntent((each) => shares[INTENT_TYPES.indexOf(each)] ?? 0),
        reasoning: explain(weights, model.settings, features, shares, chosen, context),
        requiredTools: requiredTools(features.tokens, features.cues, type, tools),
      };
    },
  };
}
