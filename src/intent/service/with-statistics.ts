import { isHoldfastError, messageOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { IntentStatisticsStore } from '../statistics/intent-statistics';
import type { IntentClassification } from './classification';

/** Whether a code is the outcome of a classification; with any other code no classification was tried. */
export function isFailureCode(code: string): boolean {
  return code === 'CLASSIFICATION_FAILED' || code === 'CLASSIFICATION_TIMEOUT';
}

/** Counts every classification before it returns. A count that cannot be written does not fail the classification. */
export function withStatistics(
  classification: IntentClassification,
  statistics: Pick<IntentStatisticsStore, 'record'>,
  logger: Logger,
): IntentClassification {
  const count = async (...outcome: Parameters<IntentStatisticsStore['record']>): Promise<void> => {
    try {
      await statistics.record(...outcome);
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'a classification was not counted');
    }
  };
  return {
    async classify(query, options, signal) {
      try {
        const result = await classification.classify(query, options, signal);
        await count([{ intent: result.intent, time: result.metadata.classificationTime }]);
        return result;
      } catch (error) {
        if (isHoldfastError(error) && isFailureCode(error.code)) {
          await count(['failed']);
        }
        throw error;
      }
    },
  };
}
