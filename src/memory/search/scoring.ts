import type { Embedder } from '../../embeddings/embedder';
import { coverageBy } from '../../embeddings/lexical/coverage';
import type { MemoryNode } from '../../stores/memory/node';
import { yieldingNowAndThen } from '../../base/async/event-loop-yield';

/** A memory as a query found it. */
export interface Candidate {
  readonly node: MemoryNode;
  /** Of its vector and the query's. */
  readonly cosine: number;
}

export interface ScoringQuery {
  readonly text: string;
  /** Least relevance, 0 to 1. */
  readonly threshold: number;
}

export interface Score {
  /** 0 to 1; 0.7 and more means relevant. */
  readonly relevance: number;
  /** The share of the query's words that the memory has, 0 to 1; 1 where the query has none to tell them apart by. */
  readonly coverage: number;
}

/** All words of a query in a memory make it as relevant as it can be by words alone. */
const MAX_BY_WORDS = 0.95;

/**
 * How relevant candidates are to a query, 0 to 1: by meaning or by words, whichever says more, as a name may be in a memory
 * whose meaning is far from the query's. Those below the threshold are left out; the order stays.
 */
export async function scoreCandidates<C extends Candidate>(
  candidates: readonly C[],
  embedder: Pick<Embedder, 'relevance'>,
  { text, threshold }: ScoringQuery,
): Promise<(C & Score)[]> {
  const coverageOf = coverageBy(text);
  const passed: (C & Score)[] = [];
  const yieldWhenDue = yieldingNowAndThen();
  for (const candidate of candidates) {
    await yieldWhenDue();
    const coverage = coverageOf(candidate.node.text);
    const byMeaning = embedder.relevance(candidate.cosine, coverage);
    const relevance = Math.max(byMeaning, (coverage ?? 0) * MAX_BY_WORDS);
    if (relevance >= threshold) passed.push({ ...candidate, relevance, coverage: coverage ?? 1 });
  }
  return passed;
}
