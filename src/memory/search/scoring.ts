import { coverageBy } from '../../embeddings/lexical/coverage';
import type { Embedder } from '../../embeddings/embedder';
import type { MemoryNode } from '../../stores/memory/node';
import { fuse, type Place, type Rankings } from './fusion';
import { createYielder } from '../../base/async/large-pieces';

/**
 * Minimum relevance of an episodic memory that a conversation recalls, 0 to 1: a lower one has nothing to do with what is said.
 * Semantic ones have a setting.
 */
export const EPISODIC_THRESHOLD = 0.3;
/**
 * Minimum relevance of an episodic memory in a search, 0 to 1. It is lower, because the caller of a search judges the results itself: with 0.3, a
 * twentieth of what is found by words alone was hidden.
 */
export const EPISODIC_SEARCH_THRESHOLD = 0.15;

export interface ScoringQuery {
  readonly text: string;
  readonly rankings: Rankings;
}

/** The scores of a memory by itself, without its neighbours. */
export interface OwnScore {
  /** Its places; absent if the ranking does not have it. */
  readonly words: Place | undefined;
  readonly meaning: Place | undefined;
  /** The share of the query's words that the memory has, 0 to 1; 1 if the query has no distinctive words. */
  readonly coverage: number;
  /** Both rankings as one score, 0 to 1. */
  readonly fused: number;
  /** 0 to 1; from 0.7 on the memory is relevant. */
  readonly relevance: number;
}

/** The relevance of a memory that has all words of the query, by words alone. */
const MAX_BY_WORDS = 0.95;

/**
 * Scores memories for a query. The relevance is the larger of those by meaning and by words, because a memory may contain a name
 * though its meaning is far from the query's.
 * @returns the scores, by id
 */
export async function scoreNodes(
  nodes: readonly MemoryNode[],
  embedder: Pick<Embedder, 'relevance' | 'meaningShare'>,
  { text, rankings }: ScoringQuery,
): Promise<Map<string, OwnScore>> {
  const coverageOf = coverageBy(text);
  const scores = new Map<string, OwnScore>();
  const yieldWhenDue = createYielder();
  const unknownCosine = Math.min(0, rankings.lastCosine);
  for (const node of nodes) {
    await yieldWhenDue();
    const [words, meaning] = [rankings.words.get(node.id), rankings.meaning.get(node.id)];
    const covered = coverageOf(node.text);
    const coverage = covered ?? 1;
    const byMeaning = embedder.relevance(meaning?.score ?? unknownCosine, covered);
    scores.set(node.id, {
      words,
      meaning,
      coverage,
      fused: fuse({ words, meaning }, { coverage, meaningShare: embedder.meaningShare }),
      relevance: Math.max(byMeaning, (covered ?? 0) * MAX_BY_WORDS),
    });
  }
  return scores;
}
