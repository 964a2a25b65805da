import { coverageBy } from '../embeddings/lexical/coverage';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { MemoryKind } from '../stores/memory/node';
import type { MemoryFilters } from '../stores/memory/search';
import type { FoundNode } from './search';

export interface WordQuery {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly filters?: MemoryFilters;
  /** Alternatives: a memory is as relevant as the one that it covers best. */
  readonly texts: readonly string[];
  readonly limit: number;
  /** What a memory that has all words of a text is worth, 0 to 1. */
  readonly weight: number;
}

/** For scoring, so many times what is wanted is read. */
const CANDIDATES_PER_RESULT = 4;

/** Memories by their words alone, best first. @throws HoldfastError `STORE_UNAVAILABLE` */
export async function searchWords(
  graph: Pick<MemoryGraph, 'searchText' | 'getMany'>,
  { texts, limit, weight, ...scope }: WordQuery,
): Promise<FoundNode[]> {
  if (texts.length === 0 || limit === 0) return [];
  const hits = await graph.searchText({
    ...scope,
    text: texts.join(' '),
    limit: limit * CANDIDATES_PER_RESULT,
  });
  const coverages = texts.map(coverageBy);
  const nodes = await graph.getMany(hits.map(({ id }) => id));
  return hits
    .flatMap(({ id }) => nodes.get(id) ?? [])
    .map((node) => ({
      node,
      relevance: weight * Math.max(0, ...coverages.map((covered) => covered(node.text) ?? 0)),
    }))
    .filter(({ relevance }) => relevance > 0)
    .sort((one, other) => other.relevance - one.relevance)
    .slice(0, limit);
}
