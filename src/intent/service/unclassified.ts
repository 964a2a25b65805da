import type { ErrorCode } from '../../base/error-codes';
import { NOT_CLASSIFIED } from '../../contracts/intent-types';
import type { Classification } from '../../contracts/http/intents';
import { isHoldfastError } from '../../base/errors';
import { stopwatch } from '../../base/stopwatch';
import type { IntentClassification } from './classification';
import { planExecution } from './execution-plan';

/** Codes of a classification that no classifier could answer, though neither the request nor a store is at fault. */
const UNANSWERED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'MODEL_NOT_CONFIGURED',
  'CLASSIFICATION_FAILED',
  'CLASSIFICATION_TIMEOUT',
]);

/**
 * Classifies a query that could not be classified as `conversation`, so that a turn continues where there are no rules.
 * In such a classification `modelUsed` is `none`, and `fallback` says why.
 */
export function withUnclassifiedFallback(classification: IntentClassification): IntentClassification {
  return {
    async classify(query, options, signal, bounds) {
      const elapsed = stopwatch();
      try {
        return await classification.classify(query, options, signal, bounds);
      } catch (error) {
        if (!isHoldfastError(error) || !UNANSWERED.has(error.code)) throw error;
        return unclassified(error.message, elapsed(), options.includeReasoning !== false);
      }
    },
  };
}

async function unclassified(
  reason: string,
  classificationTime: number,
  withReasoning: boolean,
): Promise<Classification> {
  const intent = { type: 'conversation' as const, requiredTools: [] };
  return {
    intent: {
      ...intent,
      confidence: 0,
      memoryContext: false,
      ...(withReasoning ? { reasoning: 'The query was not classified.' } : {}),
    },
    executionPlan: await planExecution(intent, 'builtin', () => Promise.resolve(new Map())),
    metadata: {
      classificationTime,
      modelUsed: NOT_CLASSIFIED,
      confidence: 0,
      fallback: reason,
      lowConfidence: true,
      alternatives: [],
    },
  };
}
