import type { Degradation, Recalled } from '../contracts/http/conversations';
import type { MemoryRecall } from '../memory/search/recall';
import { contextText } from './context-text';

export interface EnhanceQuery {
  readonly userId: string;
  readonly sessionId: string;
  readonly query: string;
  /** Maximum number of memories of both kinds together. */
  readonly maxMemories: number;
  /** Maximum length of the text, tokens by the estimate of `countTokens`. */
  readonly maxTokens: number;
  /** Maximum number of the session's latest messages that are included whatever they say. */
  readonly recent: number;
}

export interface EnhancedText {
  readonly text: string;
  /** The memories that are in the text. */
  readonly recalled: Pick<Recalled, 'episodic' | 'semantic'>;
  readonly degraded: readonly Degradation[];
}

/**
 * Recalls memories for a query and builds a text to put before it, within the budget and without repetitions.
 * @throws what `MemoryRecall.recall` throws
 */
export async function enhanceContext(
  { recall }: MemoryRecall,
  { userId, sessionId, query, maxMemories, maxTokens, recent }: EnhanceQuery,
): Promise<EnhancedText> {
  const recalled = await recall({
    userId,
    sessionId,
    text: query,
    terms: [],
    limit: maxMemories,
    crossSession: true,
    recent,
    widely: false,
    withVectors: false,
  });
  const { text, included } = contextText(recalled, maxTokens);
  const isIncluded = ({ id }: { readonly id: string }): boolean => included.includes(id);
  return {
    text,
    recalled: {
      episodic: recalled.episodic.filter(isIncluded),
      semantic: recalled.semantic.filter(isIncluded),
    },
    degraded: recalled.degraded,
  };
}
