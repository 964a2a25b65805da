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
