import type { IntentType } from '../contracts/intent-types';

/** Information beside the sentence itself. */
export interface IntentContext {
  /** The intents of the sentences before this one, oldest first. Unknown names are ignored. */
  readonly previousIntents?: readonly string[];
  /** The caller's guess. It shifts the prior and does not override a clear sentence. */
  readonly hintIntent?: IntentType;
  readonly tools?: readonly NamedTool[];
  /** Texts that the caller sent beside the query. They count if the query alone leaves doubt. */
  readonly surroundings?: string;
  /** The confidence below which there is doubt, 0 to 1. Default 0.7. */
  readonly doubtBelow?: number;
}

export interface NamedTool {
  readonly name: string;
  readonly description: string;
}

export interface IntentResult {
  readonly type: IntentType;
  /** The calibrated probability of `type`, 0 to 1. */
  readonly confidence: number;
  /** One for each intent; they sum to 1. */
  readonly probabilities: Readonly<Record<IntentType, number>>;
  /** One sentence that names the part of the query that decided. */
  readonly reasoning: string;
  /** Names from the given tools; empty for intents that run no tools. */
  readonly requiredTools: string[];
}

export interface IntentClassifier {
  /** Never throws, whatever the query; takes time linear in its length up to a bound, and constant beyond. */
  classify(query: string, context?: IntentContext): IntentResult;
}
