import type { PromptEstimates } from './prompt-estimates';
import type { Prompt } from './prompt-tokens';
import type { LlmProvider } from './provider';
import { toJsonSchema } from './json-schema';

/** A provider that estimates prompts for its callers, and learns from the tokens that its answers report. */
export function estimatingProvider(provider: LlmProvider, estimates: PromptEstimates): LlmProvider {
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
