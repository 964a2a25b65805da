import type { ClassifiedQuery } from '../src/contracts/runs/intents';
import { byIntent } from '../src/contracts/intent-types';
import type { BatchResult } from '../src/contracts/http/intents';

/** Builds the result of a batch from its classified queries. Pure. @param totalTime milliseconds */
export function summariseBatch(queries: readonly ClassifiedQuery[], totalTime: number): BatchResult {
  const done = queries.flatMap((one) => ('intent' in one ? [one] : []));
  const mean = (of: (one: (typeof done)[number]) => number): number =>
    done.length === 0 ? 0 : done.reduce((sum, one) => sum + of(one), 0) / done.length;
  return {
    results: queries.map((one) =>
      'intent' in one ? { id: one.id, intent: one.intent } : { id: one.id, error: one.problem },
    ),
    summary: {
      totalQueries: queries.length,
      averageConfidence: mean(({ intent }) => intent.confidence),
      intentDistribution: byIntent((type) => done.filter(({ intent }) => intent.type === type).length),
      successfulClassifications: done.length,
      failedClassifications: queries.length - done.length,
      totalTime,
      averageTime: Math.round(mean(({ time }) => time) * 1_000) / 1_000,
    },
  };
}
