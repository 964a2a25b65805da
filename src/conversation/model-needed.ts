import type { FallbackReason } from './conversation-rules';

const SAID = 'To work with what you said takes a language model';

/** What the built-in rules say of a message that takes memory and tools at once, by why they answer. */
export const MODEL_NEEDED: Readonly<Record<FallbackReason, string>> = {
  'not-configured': `${SAID}: set OPENAI_API_KEY for a hosted one or LOCAL_LLM_BASE_URL for a local one.`,
  'not-chosen': `${SAID}, and none was asked.`,
  failed: `${SAID}, and it did not answer.`,
};

/** Whether an answer says that a model is needed, for whichever reason. Pure. */
export function saysModelNeeded(answer: string): boolean {
  return answer.includes(SAID);
}
