import { isQuestion, withFullForms } from './clauses';
import { FALLBACK_REASONS, type FallbackReason } from './fallback-reason';

/** What was looked into before nothing was found. */
export interface Search {
  /** What the query was taken for. */
  readonly intent: string;
  /** Whether memory was asked at all. */
  readonly withMemory: boolean;
  readonly why: FallbackReason;
}

/** What there is to say of a model that might know, and what helps. */
const MODELS: Readonly<Record<FallbackReason, readonly [state: string, remedy: string]>> = {
  'not-configured': [
    'no language model is configured that might know',
    'or configure a model (OPENAI_API_KEY or LOCAL_LLM_BASE_URL)',
  ],
  'not-chosen': ['no language model that might know was asked', 'or ask a model'],
  failed: ['the language model that might know did not answer', 'or ask again when the model is back'],
};

/** What is said where nothing is known that answers; it says what would help. */
export function nothingKnown(query: string, { intent, withMemory, why }: Search): string {
  const subject = query.trim().replace(/\s+/g, ' ').slice(0, 200);
  const asked = subject === '' ? 'nothing was asked' : `“${subject}”`;
  const [state, remedy] = MODELS[why];
  switch (intent) {
    case 'memory_chat':
    case 'hybrid':
      return withMemory
        ? `I have no memory that answers this: ${asked}. Tell me, and I will remember it.`
        : `I did not look into memory, as it was left out of this turn, so I cannot answer this: ${asked}.`;
    case 'knowledge_search':
      return withMemory
        ? `Nothing in my stored knowledge answers this, and ${state}. Store what you know about it as a semantic memory, ${remedy}.`
        : `I did not look into my stored knowledge, as memory was left out of this turn, and ${state}. Ask again with memory, ${remedy}.`;
    case 'tool_execution':
      return 'I could not make out what to run here. Name the tool and its values, such as “multiply 6 by 7”.';
    default:
      return (
        `${FALLBACK_REASONS[why]}, so I can only hold a simple conversation. I can calculate, use tools, remember what you tell me ` +
        'about yourself and answer questions about it.'
      );
  }
}

/** Whether a text asks what its author may have said before. Pure. */
export function asksAboutUser(query: string): boolean {
  return (
    (/\?\s*$/.test(query) || isQuestion(withFullForms(query.slice(0, 1_000)))) &&
    /\b(?:I|we|my|our)\b/i.test(query)
  );
}
