import { HoldfastError } from '../../errors';
import type { LlmProvider } from '../provider';

/** The provider that needs no model. */
export function createBuiltinProvider(): LlmProvider {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new HoldfastError(
        'MODEL_NOT_CONFIGURED',
        'No language model is configured: set OPENAI_API_KEY or LOCAL_LLM_BASE_URL',
      ),
    );
  return {
    name: 'builtin',
    defaultModel: 'builtin',
    chat: refuse,
    structured: refuse,
    chooseTools: refuse,
    // eslint-disable-next-line require-yield -- nothing is ever generated
    async *stream() {
      await refuse();
    },
  };
}
