import type { Degradation, Recalled } from '../contracts/http/conversations';
import type { AsOf } from '../memory/facts/as-of';
import type { Facts } from '../memory/facts/facts';
import type { MemoryRecall } from '../memory/search/recall';
import { contextText } from './context-text';
import { standingMemories } from './recalled-texts';

export interface EnhancePorts {
  readonly recall: MemoryRecall;
  readonly facts: Pick<Facts, 'list'>;
}

export interface EnhanceQuery extends AsOf {
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
 * Recalls memories for a query and builds a text to put before it, within the budget, without repetitions and without what does
 * not hold.
 * @throws what `MemoryRecall.recall` and `Facts.list` throw
 */
export async function enhanceContext(
  { recall, facts }: EnhancePorts,
  { userId, sessionId, query, maxMemories, maxTokens, recent, asOf, history }: EnhanceQuery,
): Promise<EnhancedText> {
  const memories = await recall.recall({
    userId,
    sessionId,
    text: query,
    terms: [],
    limit: maxMemories,
    crossSession: true,
    recent,
    withVectors: false,
    asOf,
  });
  const known = history === true ? [] : await facts.list(userId);
  const recalled = standingMemories(memories, known, false, asOf);
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
