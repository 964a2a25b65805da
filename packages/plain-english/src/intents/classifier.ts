import { extractFeatures } from './features';
import { byIntent, INTENT_TYPES, type IntentClassifier, type IntentContext } from './intent-types';
import { decodeModel, scoreClasses, type StoredModel } from './linear-model';
import stored from './model.json';
import { DOUBT_BELOW, toProbabilities, weighSurroundings } from './probabilities';
import { explain } from './reasoning';
import { requiredTools } from './required-tools';

/**
 * The classifier that needs no model server and no network: a linear model over words, word classes and cues,
 * trained by `npm run train-intents`. Stateless; classification reads and writes nothing.
 *
 * @throws RangeError if the weights of the model are cut off
 */
export function createIntentClassifier(storedModel: StoredModel = stored): IntentClassifier {
  const { buckets, temperature } = storedModel;
  const model = decodeModel(storedModel);

  function read(query: string, { previousIntents = [], hintIntent }: IntentContext) {
    const features = extractFeatures(query, previousIntents, buckets);
    return { features, shares: toProbabilities(scoreClasses(model, features), temperature, hintIntent) };
  }

  return {
    classify(query, context = {}) {
      const { surroundings = '', doubtBelow = DOUBT_BELOW, tools = [], hintIntent } = context;
      const { features, shares: alone } = read(query, context);
      const isInDoubt = Math.max(...alone) < doubtBelow && surroundings.trim() !== '';
      const probabilities = isInDoubt ? weighSurroundings(alone, read(surroundings, {}).shares) : alone;
      const chosen = probabilities.indexOf(Math.max(...probabilities));
      const type = INTENT_TYPES[chosen] ?? 'conversation';
      return {
        type,
        confidence: probabilities[chosen] ?? 0,
        probabilities: byIntent((each) => probabilities[INTENT_TYPES.indexOf(each)] ?? 0),
        reasoning: explain({ model, buckets, features, probabilities, chosen }, hintIntent),
        requiredTools: requiredTools(features.tokens, type, tools),
      };
    },
  };
}
