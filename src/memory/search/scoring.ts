import type { Embedder } from '../../embeddings/embedder';
import { coverageBy } from '../../embeddings/lexical/coverage';
import type { MemoryNode } from '../../stores/memory/node';
import { createYielder } from '../../base/async/event-loop-yield';

/** A memory that a query found. */
export interface Candidate {
  readonly node: MemoryNode;
  /** The cosine of its vector and that of the query. */
  readonly cosine: number;
}

export interface ScoringQuery {
  readonly text: string;
  /** Minimum relevance, 0 to 1. */
  readonly threshold: number;
}

export interface Score {
  /** 0 to 1; from 0.7 on the memory is relevant. */
  readonly relevance: number;
  /** The share of the query's words that the memory has, 0 to 1; 1 where the query has no distinctive words. */
  readonly coverage: number;
}

/** The relevance of a memory that has all words of the query, by words alone. */
const MAX_BY_WORDS = 0.95;

/**
 * Computes the relevance of candidates to a query, 0 to 1: the larger of the relevances by meaning and by words,
 * because a memory may contain a name though its meaning is far from the query's. Candidates below the threshold are
 * left out; the order stays.
 */
export async function scoreCandidates<C extends Candidate>(
  candidates: readonly C[],
  embedder: Pick<Embedder, 'relevance'>,
  { text, threshold }: ScoringQuery,
): Promise<(C & Score)[]> {
  const coverageOf = coverageBy(text);
  const passed: (C & Score)[] = [];
  const yieldWhenDue = createYielder();
  for (const candidate of candidates) {
    await yieldWhenDue();
    const coverage = coverageOf(candidate.node.text);
    const byMeaning = embedder.relevance(candidate.cosine, coverage);
    const relevance = Math.max(byMeaning, (coverage ?? 0) * MAX_BY_WORDS);
    if (relevance >= threshold) passed.push({ ...candidate, relevance, coverage: coverage ?? 1 });
  }
  return passed;
}
