import { coverageByAny } from '../embeddings/lexical/coverage';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { MemoryKind } from '../stores/memory/node';
import type { MemoryFilters } from '../stores/memory/search';
import type { FoundNode } from './search';
import { takeTurns } from './turns';

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
/** Memories read in one go: a few milliseconds where they are long. */
const READ_AT_ONCE = 100;

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
  const coverageOf = coverageByAny(texts);
  const turn = takeTurns();
  const found: FoundNode[] = [];
  for (let from = 0; from < hits.length; from += READ_AT_ONCE) {
    const ids = hits.slice(from, from + READ_AT_ONCE).map(({ id }) => id);
    const nodes = await graph.getMany(ids);
    for (const id of ids) {
      await turn();
      const node = nodes.get(id);
      const relevance = weight * ((node && coverageOf(node.text)) ?? 0);
      if (node !== undefined && relevance > 0) found.push({ node, relevance });
    }
  }
  return found.sort((one, other) => other.relevance - one.relevance).slice(0, limit);
}
