/** The five intents, in the order in which the model keeps its classes. */
export const INTENT_TYPES = [
  'conversation',
  'tool_execution',
  'memory_chat',
  'hybrid',
  'knowledge_search',
] as const;
export type IntentType = (typeof INTENT_TYPES)[number];

/** What each intent means, for people and for models that are asked to tell them apart. */
export const INTENT_DESCRIPTIONS: Readonly<Record<IntentType, string>> = {
  conversation: 'General conversation and casual chat',
  tool_execution: 'Requests requiring calculations or data processing',
  memory_chat: 'Questions about past conversations or personal information',
  hybrid: 'Complex requests combining memory and tools',
  knowledge_search: 'Questions about general knowledge or facts',
};

/** What is known beside the sentence itself. */
export interface IntentContext {
  /** The intents of the sentences before this one, oldest first. Unknown names are ignored. */
  readonly previousIntents?: readonly string[];
  /** The caller's guess; it shifts the prior and does not overrule a clear sentence. */
  readonly hintIntent?: IntentType;
  readonly tools?: readonly NamedTool[];
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
  readonly requiredTools: readonly string[];
  /** Whether what was said before, or is kept about the person, is needed to answer. */
  readonly memoryContext: boolean;
}

export interface IntentClassifier {
  /** Never throws, whatever the query; takes time linear in its length up to a bound, and constant beyond. */
  classify(query: string, context?: IntentContext): IntentResult;
}

/** Narrows any string. */
export function isIntentType(value: unknown): value is IntentType {
  return (INTENT_TYPES as readonly unknown[]).includes(value);
}
