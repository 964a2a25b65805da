import type { TokenUsage } from '../http/llm';

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

type TokenParts = Pick<TokenUsage, 'cachedTokens' | 'reasoningTokens'>;

/** Adds up the parts of token counts that not every provider reports. */
function addParts(first: TokenParts, second: TokenParts): TokenParts {
  const cachedTokens = add(first.cachedTokens, second.cachedTokens);
  const reasoningTokens = add(first.reasoningTokens, second.reasoningTokens);
  return {
    // eslint-disable-next-line holdfast/conditional-spread -- templates of workflows read which keys there are
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    // eslint-disable-next-line holdfast/conditional-spread -- for the same reason
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

function add(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined && second === undefined ? undefined : (first ?? 0) + (second ?? 0);
}
