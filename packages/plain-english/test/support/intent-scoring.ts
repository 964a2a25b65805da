import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IntentClassifier, IntentType } from '../../src';

/** A line of a file in test/intents. */
export interface LabelledSentence {
  readonly type: IntentType;
  readonly query: string;
  /** The intents before, oldest first. */
  readonly previous?: readonly IntentType[];
}

export interface IntentScore {
  /** 0 to 1 */
  readonly accuracy: number;
  /** Expected calibration error over ten bins of equal width, 0 to 1. */
  readonly calibrationError: number;
  /** The time of each sentence in milliseconds, in ascending order. */
  readonly times: readonly number[];
}

const BINS = 10;

/** @param folder the folder of the test sets @param set such as `held-out` */
export function readIntents(folder: string, set: string): LabelledSentence[] {
  const lines = readFileSync(join(folder, 'intents', `${set}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as LabelledSentence);
}

/** Classifies each sentence and compares the types with the labels. */
export function scoreIntents(
  classifier: IntentClassifier,
  sentences: readonly LabelledSentence[],
): IntentScore {
  const gaps = Array.from({ length: BINS }, () => 0);
  const times: number[] = [];
  let right = 0;
  for (const { type, query, previous = [] } of sentences) {
    const startedAt = performance.now();
    const taken = classifier.classify(query, { previousIntents: previous });
    times.push(performance.now() - startedAt);
    const isRight = taken.type === type;
    if (isRight) right += 1;
    gaps[Math.min(BINS - 1, Math.floor(taken.confidence * BINS))]! += taken.confidence - Number(isRight);
  }
  return {
    accuracy: right / sentences.length,
    calibrationError: gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / sentences.length,
    times: times.sort((one, other) => one - other),
  };
}
