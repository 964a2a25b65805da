import type { ConversationRules } from '../conversation/conversation-rules';
import { HoldfastError } from '../base/errors';
import type { IntentClassifier } from '../intent/intent-classifier';
import type { SentenceRules } from '../llm/sentence-rules';
import type { Rules } from './rules';

/**
 * The interface of a package that reads a language by rules, as far as the service uses it. `packages/plain-english`
 * implements it. The package imports nothing of the service, so its errors have a separate class.
 */
export interface RulesPackage extends SentenceRules, ConversationRules {
  createIntentClassifier(): IntentClassifier;
  isPlainEnglishError(error: unknown): error is Error & {
    readonly code: 'QUERY_NOT_UNDERSTOOD';
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** Adapts the rules of a package, and converts its errors to errors of the service. */
export function createRules(rules: RulesPackage): Rules {
  return {
    sentences: {
      chooseNext: converting(rules, rules.chooseNext),
      answerPrompt: converting(rules, rules.answerPrompt),
      findJsonValues: converting(rules, rules.findJsonValues),
    },
    classifier: rules.createIntentClassifier(),
    conversation: rules,
  };
}

function converting<A extends readonly unknown[], T>(
  { isPlainEnglishError }: Pick<RulesPackage, 'isPlainEnglishError'>,
  read: (...args: A) => T,
): (...args: A) => T {
  return (...args) => {
    try {
      return read(...args);
    } catch (error) {
      if (!isPlainEnglishError(error)) throw error;
      const { code, message, details } = error;
      throw new HoldfastError(code, message, { details, cause: error });
    }
  };
}
