import type { IntentType } from '../src/intents/intent-types';

/** Paraphrases of one request, never parted by a split. */
export interface SentenceGroup {
  readonly id: string;
  readonly type: IntentType;
  /** The intents before, oldest first. */
  readonly previous?: readonly IntentType[];
  readonly sentences: readonly string[];
}

export interface Sentence {
  readonly query: string;
  readonly type: IntentType;
  readonly previous: readonly IntentType[];
  readonly group: string;
  /** How much it counts in training. */
  readonly weight: number;
}
