import * as plainEnglish from '@holdfast/plain-english';
import type { LlmProvider } from '../../src/llm/provider';
import { createRulesProvider } from '../../src/llm/rules-provider';
import { createRules } from '../../src/rules/create-rules';

/** The rules as the service uses them. */
export const rules = createRules(plainEnglish);

/** The provider `builtin` on these rules. */
export function createBuiltinProvider(): LlmProvider {
  return createRulesProvider(rules.sentences);
}
