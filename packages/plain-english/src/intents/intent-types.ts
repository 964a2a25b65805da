/**
 * The five intents, in the order in which the stored model keeps its classes: another order would give each class the weights of
 * another one.
 */
export const INTENT_TYPES = [
  'conversation',
  'tool_execution',
  'memory_chat',
  'hybrid',
  'knowledge_search',
] as const;
export type IntentType = (typeof INTENT_TYPES)[number];

/** Narrows any string. */
export function isIntentType(value: unknown): value is IntentType {
  return (INTENT_TYPES as readonly unknown[]).includes(value);
}

/** A value for each intent. */
export function byIntent<T>(make: (type: IntentType) => T): Record<IntentType, T> {
  return Object.fromEntries(INTENT_TYPES.map((type) => [type, make(type)])) as Record<IntentType, T>;
}

/** Whether tools are run to answer. */
export function usesTools(type: IntentType): boolean {
  return type === 'tool_execution' || type === 'hybrid';
}

/** What is known beside the sentence itself. */
export interface IntentContext {
  /** The intents of the sentences before this one, oldest first. Unknown names are ignored. */
  readonly previousIntents?: readonly string[];
  /** The caller's guess; it shifts the prior and does not overrule a clear sentence. */
  readonly hintIntent?: IntentType;
  readonly tools?: readonly NamedTool[];
  /** Texts of what the caller knows beside the query; they count if the query alone leaves doubt. */
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
  /** One sentence about what in the query decided it. */
  readonly reasoning: string;
  /** Names out of the given tools; empty for the intents that run none. */
  readonly requiredTools: string[];
}

export interface IntentClassifier {
  /** Never throws, whatever the query; takes time linear in its length up to a bound, and constant beyond. */
  classify(query: string, context?: IntentContext): IntentResult;
}
