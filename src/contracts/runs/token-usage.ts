import type { TokenUsage } from '../http/llm';
import { addParts } from './budgets';

export const NO_USAGE: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

/** Adds up the tokens of two requests. */
export function addUsage(first: TokenUsage, second: TokenUsage): TokenUsage {
  return {
    promptTokens: first.promptTokens + second.promptTokens,
    completionTokens: first.completionTokens + second.completionTokens,
    totalTokens: first.totalTokens + second.totalTokens,
    ...addParts(first, second),
  };
}
