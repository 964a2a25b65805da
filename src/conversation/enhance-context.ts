import type { Degradation, Recalled } from '../contracts/http/conversations';
import type { MemoryRecall } from '../memory/search/recall';
import { contextText } from './context-text';

export interface EnhanceQuery {
  readonly userId: string;
  readonly sessionId: string;
  readonly query: string;
  /** Most memories of both kinds together. */
  readonly maxMemories: number;
  /** Of the text, by the estimate of `countTokens`. */
  readonly maxTokens: number;
  /** Most of the latest messages of the session that go into the text whatever they say. */
  readonly recent: number;
}

export interface EnhancedText {
  readonly text: string;
  /** Those that are in the text. */
  readonly recalled: Pick<Recalled, 'episodic' | 'semantic'>;
  readonly degraded: readonly Degradation[];
}

/**
 * What memory has on a query, as a text to be put before it: within the budget, and each thing said once.
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
  const isTold = ({ id }: { readonly id: string }): boolean => included.includes(id);
  return {
    text,
    recalled: { episodic: recalled.episodic.filter(isTold), semantic: recalled.semantic.filter(isTold) },
    degraded: recalled.degraded,
  };
}
