import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IntentType } from '../src/intents/intent-types';

/** One line of sentences/paraphrases.jsonl: several ways to say the same thing. */
export interface Paraphrases {
  readonly type: IntentType;
  /** The intents before, oldest first. */
  readonly previous?: readonly IntentType[];
  readonly sentences: readonly string[];
}

/** One line of sentences/frames.jsonl: sentences with a gap `{}`, and the lists that fill it, by the intent that results. */
export interface Frames {
  readonly fill: Readonly<Partial<Record<IntentType, readonly string[]>>>;
  readonly frames: readonly string[];
}

/** One line of sentences/follow-ups.jsonl: short sentences, and their intent by the intent before them. */
export interface FollowUps {
  readonly after: Readonly<Partial<Record<IntentType, IntentType>>>;
  readonly sentences: readonly string[];
}

/** All that the model is trained with. */
export interface TrainingData {
  readonly paraphrases: readonly Paraphrases[];
  readonly frames: readonly Frames[];
  readonly followUps: readonly FollowUps[];
  /** What fills the gaps of frames, and the stories with their joints, by name. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** A labelled sentence. */
export interface Sentence {
  readonly query: string;
  readonly type: IntentType;
  readonly previous: readonly IntentType[];
  /** How much it counts in the training; a written sentence counts 1. */
  readonly weight: number;
}

/** Reads the files of a folder such as training/sentences. */
export function readTrainingData(folder: string): TrainingData {
  const lists = readLines<{ name: string; items: string[] }>(join(folder, 'lists.jsonl'));
  return {
    paraphrases: readLines(join(folder, 'paraphrases.jsonl')),
    frames: readLines(join(folder, 'frames.jsonl')),
    followUps: readLines(join(folder, 'follow-ups.jsonl')),
    lists: new Map(lists.map(({ name, items }) => [name, items])),
  };
}

/** The values of a file in JSON Lines. */
function readLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
}

/** The written sentences, each of weight 1. */
export function sentencesOf(paraphrases: readonly Paraphrases[]): Sentence[] {
  return paraphrases.flatMap(({ type, previous = [], sentences }) =>
    sentences.map((query) => ({ query, type, previous, weight: 1 })),
  );
}
