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
  return {
    conversation: make('conversation'),
    tool_execution: make('tool_execution'),
    memory_chat: make('memory_chat'),
    hybrid: make('hybrid'),
    knowledge_search: make('knowledge_search'),
  };
}

/** Whether tools are run to answer. */
export function usesTools(type: IntentType): boolean {
  return type === 'tool_execution' || type === 'hybrid';
}
