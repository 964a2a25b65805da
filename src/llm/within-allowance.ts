import type { ChatRequest } from '../contracts/http/llm';
import type { BudgetLimit } from '../contracts/http/budgets';
import type { ModelAllowance } from '../contracts/runs/budgets';
import { HoldfastError } from '../base/errors';
import type { LlmProvider } from './provider';
import { toJsonSchema } from './json-schema';
import { countTokens } from './token-count';

/** Tokenizers count up to about this much more than `countTokens` estimates. */
const PROMPT_MARGIN = 1.25;
/** A call is not made where the budget has room for fewer tokens of its answer, since it would be cut off. */
export const MIN_COMPLETION_TOKENS = 64;
/**
 * The limit of an answer whose caller names none. Models refuse a request for more tokens than they can give, and most can
 * give this many.
 */
const MAX_COMPLETION_TOKENS = 4_096;
const PER = 1_000_000;

/**
 * A provider whose calls stay within what is left of a run's budget: the prompt is estimated, and the rest limits the
 * answer. A repair of an unusable answer is part of its call.
 * @returns a provider whose methods also throw HoldfastError `BUDGET_EXHAUSTED` with details `{ limit }`, before anything
 * is sent, where the budget has no room for the call
 */
export function withinAllowance(provider: LlmProvider, allowance: ModelAllowance | undefined): LlmProvider {
  if (allowance === undefined) return provider;
  const limited = <T extends ChatRequest>(request: T, more: unknown): T => ({
    ...request,
    maxTokens: limitCompletion(request, more, allowance),
  });
  return {
    name: provider.name,
    defaultModel: provider.defaultModel,
    chat: async (request, context) => provider.chat(limited(request, undefined), context),
    structured: async (request, context) =>
      provider.structured(limited(request, toJsonSchema(request.schema)), context),
    chooseTools: async (request, context) => provider.chooseTools(limited(request, request.tools), context),
  };
}

/** @returns the number of tokens that the answer may have */
function limitCompletion(
  { messages, maxTokens = MAX_COMPLETION_TOKENS }: ChatRequest,
  more: unknown,
  { tokens = Infinity, costUsd = Infinity, price, completionTokens = Infinity }: ModelAllowance,
): number {
  const prompt = Math.ceil(PROMPT_MARGIN * countTokens(JSON.stringify([messages, more])));
  const { input, output } = price ?? { input: 0, output: 0 };
  const money = costUsd * PER - prompt * input;
  const rooms: Record<Extract<BudgetLimit, 'maxTokens' | 'maxCostUsd'>, number> = {
    maxTokens: tokens - prompt,
    maxCostUsd: output > 0 ? Math.floor(money / output) : money >= 0 ? Infinity : 0,
  };
  for (const [limit, room] of Object.entries(rooms)) {
    if (room >= Math.min(maxTokens, MIN_COMPLETION_TOKENS)) continue;
    throw new HoldfastError('BUDGET_EXHAUSTED', `The next model call may exceed ${limit}`, {
      details: { limit },
    });
  }
  return Math.min(maxTokens, completionTokens, ...Object.values(rooms));
}
