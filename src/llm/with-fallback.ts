import type { Generated } from '../contracts/http/llm';
import { isHoldfastError } from '../base/errors';
import { OutputInvalidError } from './output-invalid';
import type { CallContext, LlmProvider } from './provider';
import { addUsage } from '../contracts/runs/token-usage';

/**
 * A provider with the rules as its fallback: where `structured` or `chooseTools` ends with `MODEL_OUTPUT_INVALID`,
 * `builtin` is asked in the time that is left. Its answer names the builtin as its provider and counts the tokens of
 * both. Where the builtin cannot answer either, the provider's error is thrown.
 */
export function withFallback(provider: LlmProvider, builtin: LlmProvider): LlmProvider {
  async function orBuiltin<T extends Generated>(
    context: CallContext,
    ask: (context: CallContext) => Promise<T>,
    askBuiltin: (context: CallContext) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    try {
      return await ask(context);
    } catch (error) {
      if (!(error instanceof OutputInvalidError)) throw error;
      const timeoutMs = Math.ceil(context.timeoutMs - (performance.now() - startedAt));
      if (timeoutMs <= 0) throw error;
      const answer = await askBuiltin({ signal: context.signal, timeoutMs }).catch((failure: unknown) => {
        context.signal.throwIfAborted();
        throw isHoldfastError(failure) ? error : failure;
      });
      return { ...answer, usage: addUsage(error.usage, answer.usage) };
    }
  }

  return {
    name: provider.name,
    defaultModel: provider.defaultModel,
    chat: (request, context) => provider.chat(request, context),
    structured: (request, context) =>
      orBuiltin(
        context,
        (limit) => provider.structured(request, limit),
        (limit) => builtin.structured(withoutModel(request), limit),
      ),
    chooseTools: (request, context) =>
      orBuiltin(
        context,
        (limit) => provider.chooseTools(request, limit),
        (limit) => builtin.chooseTools(withoutModel(request), limit),
      ),
  };
}

/** Removes the requested model, which is one of the other provider. */
function withoutModel<T extends { readonly model?: string }>(request: T): Omit<T, 'model'> {
  const { model: _, ...rest } = request;
  return rest;
}
