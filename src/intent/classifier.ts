import { extractFeatures } from './features';
import { decodeModel, scoreClasses, type StoredModel } from './linear-model';
import stored from './model.json';
import { toProbabilities } from './probabilities';
import { explain } from './reasoning';
import { requiredTools } from './required-tools';
import { INTENT_TYPES, type IntentClassifier, type IntentType } from './types';

/** The intents whose answer needs what was said before or is kept about the person. */
const NEEDS_MEMORY: ReadonlySet<IntentType> = new Set(['memory_chat', 'hybrid']);

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
        probabilities: byType(shares),
        reasoning: explain(weights, model.settings, features, shares, chosen, context),
        requiredTools: requiredTools(features.tokens, features.cues, type, context.tools ?? []),
        memoryContext: NEEDS_MEMORY.has(type),
      };
    },
  };
}

function byType(shares: readonly number[]): Record<IntentType, number> {
  const [conversation = 0, tool_execution = 0, memory_chat = 0, hybrid = 0, knowledge_search = 0] = shares;
  return { conversation, tool_execution, memory_chat, hybrid, knowledge_search };
}
