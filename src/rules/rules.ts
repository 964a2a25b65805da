import type { ConversationRules } from '../conversation/conversation-rules';
import type { IntentClassifier } from '../intent/intent-classifier';
import type { SentenceRules } from '../llm/sentence-rules';
import type { RelatedWords } from '../memory/search/recall';

/** What the service does without a language model, by area. */
export interface Rules {
  readonly sentences: SentenceRules;
  readonly classifier: IntentClassifier;
  readonly conversation: ConversationRules;
  readonly relatedWords: RelatedWords;
}
