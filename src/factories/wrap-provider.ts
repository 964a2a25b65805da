import type { Config } from '../settings/config';
import type { Metrics } from '../base/metrics';
import { type CallQueue, createCallQueue, queuedProvider } from '../llm/call-queue';
import { createKnownServer, type KnownServer } from '../llm/discovery/known-server';
import { findKnownModel, type ProviderAddresses } from '../llm/known-models';
import { measuredProvider } from '../llm/measured-provider';
import { createPromptEstimates, type PromptEstimates } from '../llm/prompt-estimates';
import type { LlmProvider } from '../llm/provider';
import type { ModelServer, WrapProvider } from './create-providers';
import type { Prompt } from '../llm/prompt-tokens';
import { toJsonSchema } from '../llm/schema-for-models';

export type WrapSettings = ProviderAddresses &
  Pick<Config, 'LLM_MAX_CONCURRENT' | 'OPENAI_CONTEXT_TOKENS' | 'LOCAL_LLM_CONTEXT_TOKENS'>;

/** What a process keeps of one server, whichever of its areas asks it. */
interface KeptServer {
  readonly queue: CallQueue;
  readonly estimates: PromptEstimates;
  /** Absent for a server that is not asked about itself. */
  readonly known: KnownServer | undefined;
}

/**
 * Creates the function that adds to a provider its measurement, its queue, and what is known of its models. Providers of the same
 * server share what is kept of it.
 */
export function createWrapProvider(settings: WrapSettings, metrics: Metrics): WrapProvider {
  const servers = new Map<string, KeptServer>();

  function keptOf({ name, defaultModel }: LlmProvider, server: ModelServer): KeptServer {
    const { baseUrl, apiKey, isForeign } = server;
    const key = `${name} ${baseUrl ?? ''}`;
    const existing = servers.get(key);
    if (existing !== undefined && !isForeign) return existing;
    // An address of a caller gets what the caller asks for alone, and OpenAI says nothing of the kind.
    const isAsked = name === 'local' && baseUrl !== undefined && !isForeign;
    const known = isAsked ? createKnownServer({ baseUrl, apiKey }) : undefined;
    const { LLM_MAX_CONCURRENT } = settings;
    const serverState = {
      queue: createCallQueue(async () => LLM_MAX_CONCURRENT ?? (await known?.about(defaultModel))?.slots),
      estimates: createPromptEstimates(name),
      known,
    };
    // Callers may name any number of addresses.
    if (!isForeign) servers.set(key, serverState);
    return serverState;
  }

  return (provider, server) => {
    const { queue, estimates, known } = keptOf(provider, server);
    const { name, defaultModel } = provider;
    const set = name === 'hosted' ? settings.OPENAI_CONTEXT_TOKENS : settings.LOCAL_LLM_CONTEXT_TOKENS;
    const wrapped = estimatingProvider(measuredProvider(provider, metrics), estimates);
    const informed: LlmProvider = {
      ...wrapped,
      async contextTokens(model = defaultModel) {
        if (set !== undefined || server.isForeign) return set;
        return (
          (await known?.about(model))?.contextTokens ??
          findKnownModel({ provider: name, model }, settings)?.contextTokens
        );
      },
    };
    return queuedProvider(informed, queue);
  };
}

/** A provider that estimates prompts for its callers, and learns from the tokens that its answers report. */
function estimatingProvider(provider: LlmProvider, estimates: PromptEstimates): LlmProvider {
  const { defaultModel } = provider;
  const named = (prompt: Prompt): Prompt => ({ ...prompt, model: prompt.model ?? defaultModel });
  const learn = (prompt: Prompt, promptTokens: number): void => estimates.learn(named(prompt), promptTokens);
  return {
    ...provider,
    estimatePrompt: (prompt) => estimates.estimate(named(prompt)),
    async chat(request, context) {
      const answer = await provider.chat(request, context);
      learn(request, answer.usage.promptTokens);
      return answer;
    },
    async structured(request, context) {
      const answer = await provider.structured(request, context);
      const { model, messages, schema } = request;
      // The tokens of a repaired answer are those of two prompts.
      if (!answer.repaired) learn({ model, messages, more: toJsonSchema(schema) }, answer.usage.promptTokens);
      return answer;
    },
    async chooseTools(request, context) {
      const answer = await provider.chooseTools(request, context);
      const { model, messages, tools } = request;
      learn({ model, messages, more: tools }, answer.usage.promptTokens);
      return answer;
    },
  };
}
