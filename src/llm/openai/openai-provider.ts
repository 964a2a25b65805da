import type { LlmProvider } from '../provider';
import type * as Loading from './loaded-provider';
import type { OpenAiProviderOptions } from './options';

/**
 * A provider for OpenAI, or any server that speaks its chat API. It opens no connection before it is called, and loads
 * OpenAI's client at its first call, because most processes call no model. `model` in results and errors is the requested
 * name, which can be requested again; a provider may have served a dated version of it.
 */
export function createOpenAiProvider(options: OpenAiProviderOptions): LlmProvider {
  let loaded: LlmProvider | undefined;
  const load = (): LlmProvider => (loaded ??= loadProvider(options));
  const { name, defaultModel } = options;
  return {
    name,
    defaultModel,
    chat: async (request, context) => load().chat(request, context),
    structured: async (request, context) => load().structured(request, context),
    chooseTools: async (request, context) => load().chooseTools(request, context),
  };
}

function loadProvider(options: OpenAiProviderOptions): LlmProvider {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { createLoadedProvider } = require('./loaded-provider') as typeof Loading;
  return createLoadedProvider(options);
}
