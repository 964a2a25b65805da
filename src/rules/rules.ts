import type { ConversationRules } from '../conversation/conversation-rules';
import type { IntentClassifier } from '../intent/intent-classifier';
import type { SentenceRules } from '../llm/sentence-rules';

/** The rules by which the service works without a language model, by area. */
export interface Rules {
  readonly sentences: SentenceRules;
  readonly classifier: IntentClassifier;
  readonly conversation: ConversationRules;
}
