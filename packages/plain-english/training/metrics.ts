import { INTENT_TYPES } from '../src/intents/intent-types';

/** A prediction beside its label, both as indices of INTENT_TYPES. */
export interface Outcome {
  readonly label: number;
  readonly probabilities: readonly number[];
}

export interface Metrics {
  readonly accuracy: number;
  readonly macroF1: number;
  readonly ece: number;
  /** Rows are labels, columns are predictions. */
  readonly confusion: readonly (readonly number[])[];
}

const BINS = 10;

/** The index of the largest. */
export function largest(values: readonly number[]): number {
  return values.reduce((best, value, index) => (value > (values[best] ?? -Infinity) ? index : best), 0);
}

/** Accuracy, macro F1, confusion matrix and calibration error of predictions. Pure. */
export function measure(outcomes: readonly Outcome[]): Metrics {
  const confusion = INTENT_TYPES.map(() => INTENT_TYPES.map(() => 0));
  for (const { label, probabilities } of outcomes) {
    const row = confusion[label] ?? [];
    const column = largest(probabilities);
    row[column] = (row[column] ?? 0) + 1;
  }
  const right = INTENT_TYPES.map((_, type) => confusion[type]?.[type] ?? 0);
  const scores = right.map((hits, type) => {
    const labelled = total(confusion[type] ?? []);
    const predicted = total(confusion.map((row) => row[type] ?? 0));
    return labelled + predicted === 0 ? 0 : (2 * hits) / (labelled + predicted);
  });
  return {
    accuracy: total(right) / Math.max(1, outcomes.length),
    macroF1: total(scores) / INTENT_TYPES.length,
    ece: calibrationError(outcomes),
    confusion,
  };
}

/**
 * Expected calibration error over ten bins of equal width: the mean distance of confidence and accuracy, weighted by
 * the size of the bin (Guo et al., On Calibration of Modern Neural Networks, 2017). Pure.
 */
export function calibrationError(outcomes: readonly Outcome[]): number {
  const bins = Array.from({ length: BINS }, () => ({ confidence: 0, right: 0 }));
  for (const { label, probabilities } of outcomes) {
    const type = largest(probabilities);
    const confidence = probabilities[type] ?? 0;
    const bin = bins[Math.min(BINS - 1, Math.floor(confidence * BINS))];
    if (bin === undefined) continue;
    bin.confidence += confidence;
    bin.right += type === label ? 1 : 0;
  }
  return (
    total(bins.map(({ confidence, right }) => Math.abs(confidence - right))) / Math.max(1, outcomes.length)
  );
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
