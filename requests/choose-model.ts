import type { GenerationOptions } from '../src/contracts/http/llm';
import type { ModelChoice } from '../src/contracts/runs/workflows';
import type { ModelProviders } from '../src/llm/model-providers';

/**
 * Creates the function that chooses provider and model of a run before it starts, so that an unknown name is rejected
 * at once and the Temporal UI can show the choice. Absent options keep the provider's defaults.
 */
export function modelChooser(providers: ModelProviders): (options: GenerationOptions) => ModelChoice {
  return ({ model: wanted, temperature, maxTokens, topP }) => {
    const { provider, model } = providers.resolve(wanted);
    return {
      provider: provider.name,
      model,
      temperature,
      maxTokens,
      topP,
    };
  };
}

/**
 * Creates the same function for a turn of a conversation, which continues without any provider: it remembers the
 * messages and quotes memories. The choice is then `builtin` although no such provider exists, which
 * `src/conversation/answerer.ts` handles.
 */
export function turnModelChooser(providers: ModelProviders): (options: GenerationOptions) => ModelChoice {
  const choose = modelChooser(providers);
  return (options) =>
    providers.default === undefined && options.model === undefined
      ? { provider: 'builtin', model: 'builtin' }
      : choose(options);
}
