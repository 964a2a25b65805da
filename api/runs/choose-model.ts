import type { GenerationOptions } from '../../src/contracts/http/llm';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { ModelProviders } from '../../src/llm/model-providers';

/**
 * Decides who answers the model calls of a run before it starts, so that a wrong name is refused at once and the Temporal UI
 * can tell. What is left out stays the provider's default.
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
 * The same for a turn of a conversation, which goes on where there is no provider at all: it remembers what was said and quotes
 * what memory has. The choice is then `builtin` though no such provider is there, which `src/conversation/answerer.ts` sees.
 */
export function turnModelChooser(providers: ModelProviders): (options: GenerationOptions) => ModelChoice {
  const choose = modelChooser(providers);
  return (options) =>
    providers.default === undefined && options.model === undefined
      ? { provider: 'builtin', model: 'builtin' }
      : choose(options);
}
