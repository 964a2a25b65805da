import { byIntent, type IntentType } from '../../contracts/intent-types';
import type { IntentStatistics } from '../../contracts/http/intents';

/** How one classification ended. */
export type ClassificationOutcome =
  | {
      readonly intent: { readonly type: IntentType; readonly confidence: number };
      /** Milliseconds. */
      readonly time: number;
    }
  | 'failed';

/** Sums over all classifications, in whole units, so that they stay exact whatever is added. */
export interface IntentTotals {
  readonly succeeded: number;
  readonly failed: number;
  /** Sum over those that succeeded, microseconds. `confidence` is likewise a sum, in millionths. */
  readonly micros: number;
  readonly confidence: number;
  readonly types: Readonly<Record<IntentType, number>>;
}

const MILLION = 1_000_000;

export const NO_TOTALS: IntentTotals = {
  succeeded: 0,
  failed: 0,
  micros: 0,
  confidence: 0,
  types: byIntent(() => 0),
};

/** Pure. */
export function addOutcome(totals: IntentTotals, outcome: ClassificationOutcome): IntentTotals {
  if (outcome === 'failed') return { ...totals, failed: totals.failed + 1 };
  const { intent, time } = outcome;
  return {
    ...totals,
    succeeded: totals.succeeded + 1,
    micros: totals.micros + Math.round(time * 1_000),
    confidence: totals.confidence + Math.round(intent.confidence * MILLION),
    types: { ...totals.types, [intent.type]: totals.types[intent.type] + 1 },
  };
}

/** Pure. */
export function addTotals(one: IntentTotals, other: IntentTotals): IntentTotals {
  return {
    succeeded: one.succeeded + other.succeeded,
    failed: one.failed + other.failed,
    micros: one.micros + other.micros,
    confidence: one.confidence + other.confidence,
    types: byIntent((type) => one.types[type] + other.types[type]),
  };
}

/** The number of all classifications. */
export function countAll({ succeeded, failed }: IntentTotals): number {
  return succeeded + failed;
}

/** Converts totals to figures; a mean over no classifications is 0. Pure. */
export function toFigures(totals: IntentTotals): Omit<IntentStatistics, 'recentActivity'> {
  const { succeeded, failed, micros, confidence, types } = totals;
  const all = countAll(totals);
  const mean = (sum: number, of: number): number => (of === 0 ? 0 : sum / of);
  return {
    totalClassifications: all,
    averageConfidence: mean(confidence / MILLION, succeeded),
    intentDistribution: byIntent((type) => types[type]),
    performance: {
      averageClassificationTime: Math.round(mean(micros, succeeded)) / 1_000,
      successRate: mean(succeeded, all),
      errorRate: mean(failed, all),
    },
  };
}
