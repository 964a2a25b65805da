import { readFileSync } from 'node:fs';
import { byIntent, INTENT_TYPES, type IntentType } from '../../src/intents/intent-types';
import type { IntentClassifier } from '../../src/intents/types';

/** A file of labelled sentences. */
interface IntentFile {
  readonly sentences: readonly {
    readonly id: string;
    readonly type: IntentType;
    readonly query: string;
    readonly previous?: readonly IntentType[];
  }[];
}

export interface IntentMistake {
  readonly id: string;
  readonly query: string;
  readonly type: IntentType;
  readonly taken: IntentType;
  readonly confidence: number;
}

export interface IntentScore {
  readonly count: number;
  readonly accuracy: number;
  /** How many of each label were taken for which type. */
  readonly confusion: Readonly<Record<IntentType, Readonly<Record<IntentType, number>>>>;
  /** Expected calibration error over ten bins of equal width. */
  readonly ece: number;
  /** Milliseconds of each sentence, in ascending order. */
  readonly times: readonly number[];
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly mistakes: readonly IntentMistake[];
}

const BINS = 10;

/** Classifies every sentence of a file { "sentences": [{ id, type, query, previous? }] } and compares. */
export function scoreIntents(classifier: IntentClassifier, path: string): IntentScore {
  const { sentences } = JSON.parse(readFileSync(path, 'utf8')) as IntentFile;
  const times: number[] = [];
  const gaps = Array.from({ length: BINS }, () => 0);
  const mistakes: IntentMistake[] = [];
  const confusion = byIntent(() => byIntent(() => 0));
  for (const { id, type, query, previous = [] } of sentences) {
    const startedAt = performance.now();
    const { type: taken, confidence } = classifier.classify(query, { previousIntents: previous });
    times.push(performance.now() - startedAt);
    confusion[type][taken] += 1;
    gaps[Math.min(BINS - 1, Math.floor(confidence * BINS))]! += confidence - (taken === type ? 1 : 0);
    if (taken !== type) mistakes.push({ id, query, type, taken, confidence });
  }
  const count = sentences.length;
  times.sort((one, two) => one - two);
  return {
    count,
    accuracy: (count - mistakes.length) / Math.max(1, count),
    confusion,
    ece: gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / Math.max(1, count),
    times,
    p50Ms: times[Math.floor(count * 0.5)] ?? 0,
    p95Ms: times[Math.floor(count * 0.95)] ?? 0,
    mistakes,
  };
}

/** The figures as lines of text. */
export function describeScore({ count, accuracy, confusion, ece, p50Ms, p95Ms }: IntentScore): string {
  const rows = INTENT_TYPES.map(
    (type) =>
      `${type.padEnd(18)}${INTENT_TYPES.map((taken) => String(confusion[type][taken]).padStart(5)).join('')}`,
  );
  return [
    `${count} sentences: accuracy ${(accuracy * 100).toFixed(1)} %, ECE ${ece.toFixed(3)}, ` +
      `p50 ${p50Ms.toFixed(2)} ms, p95 ${p95Ms.toFixed(2)} ms`,
    ...rows,
  ].join('\n');
}
