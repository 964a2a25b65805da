// This file is apart from the schemas, so that workflow code can use it without bundling a validator.

/** The five intents, in the order in which the built-in model keeps its classes. */
export const INTENT_TYPES = [
  'conversation',
  'tool_execution',
  'memory_chat',
  'hybrid',
  'knowledge_search',
] as const;
export type IntentType = (typeof INTENT_TYPES)[number];

/** What each intent means, for callers and for models that classify. */
export const INTENT_DESCRIPTIONS: Readonly<Record<IntentType, string>> = {
  conversation: 'general conversation and casual chat',
  tool_execution: 'requests requiring calculations or data processing',
  memory_chat: 'questions about past conversations or personal information',
  hybrid: 'complex requests combining memory and tools',
  knowledge_search: 'questions about general knowledge or facts',
};

/** Narrows any value to an intent type. */
export function isIntentType(value: unknown): value is IntentType {
  return (INTENT_TYPES as readonly unknown[]).includes(value);
}

/** Builds a record with one value for each intent type. */
export function byIntent<T>(make: (type: IntentType) => T): Record<IntentType, T> {
  return {
    conversation: make('conversation'),
    tool_execution: make('tool_execution'),
    memory_chat: make('memory_chat'),
    hybrid: make('hybrid'),
    knowledge_search: make('knowledge_search'),
  };
}

/** Whether memory is searched to answer: for earlier messages, personal facts or stored knowledge. */
export function usesMemory(type: IntentType): boolean {
  return type === 'memory_chat' || type === 'hybrid' || type === 'knowledge_search';
}

/** Whether tools are run to answer. */
export function usesTools(type: IntentType): boolean {
  return type === 'tool_execution' || type === 'hybrid';
}

/** The `modelUsed` of a query that neither a model nor rules could classify, and that is handled as conversation. */
export const NOT_CLASSIFIED = 'none';
