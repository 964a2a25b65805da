import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import { fitsScope, type SearchHit, type VectorQuery } from '../../stores/memory/search';
import type { UserVectors } from '../../stores/tenants/tenant-memories';

export interface SemanticVectorStores {
  readonly graph: Pick<UserMemories, 'searchVectors' | 'getMany'>;
  /** Absent: the graph keeps all vectors. */
  readonly index: UserVectors | undefined;
}

/** Maximum number of pending vectors that are searched: more than a user ever has, except during an outage. */
const MAX_PENDING = 1_000;
/**
 * Number of hits asked for in addition, because the index may still show deleted memories, and ones that no longer fit.
 */
const SPARE_HITS = 32;
const FACTOR = 8;
const MAX_ASKED_FOR = 10_000;

/**
 * Finds the semantic memories nearest to a vector, wherever their vectors are: best first, and by id among equals. Each
 * is in the graph and fits the filters there. If a memory has a vector in the graph and one in the index, only the
 * one in the graph counts, because it is newer.
 * @throws HoldfastError `STORE_UNAVAILABLE` if one of the two cannot be reached
 */
export async function searchSemanticVectors(
  { graph, index }: SemanticVectorStores,
  query: VectorQuery,
  signal?: AbortSignal,
): Promise<SearchHit[]> {
  if (index === undefined) return graph.searchVectors(query);
  // The graph is read first: the index shows all vectors that the graph has released by then. In the other order a
  // vector could be released between the two reads, and be in neither result.
  const pending = await graph.searchVectors({ ...query, limit: Math.max(query.limit, MAX_PENDING) });
  const pendingIds = new Set(pending.map(({ id }) => id));
  for (let limit = query.limit + SPARE_HITS; ; limit *= FACTOR) {
    const askedFor = Math.min(limit, MAX_ASKED_FOR);
    const shown = await index.search({ ...query, limit: askedFor }, signal);
    const nodes = await graph.getMany(shown.map(({ id }) => id));
    const current = shown.filter(({ id }) => !pendingIds.has(id) && isInScope(nodes.get(id), query));
    const hits = [...pending, ...current].sort(bestFirst);
    const sure = countSure(hits, shown, askedFor);
    if (sure >= query.limit || askedFor === MAX_ASKED_FOR) return hits.slice(0, query.limit);
  }
}

/** Counts the hits that are better than any hit that the index has not returned yet. */
function countSure(hits: readonly SearchHit[], shown: readonly SearchHit[], askedFor: number): number {
  const last = shown.at(-1);
  if (shown.length < askedFor || last === undefined) return Infinity;
  return hits.filter(({ score }) => score >= last.score).length;
}

/** Checks the memory in the graph, because the index may not have its last change yet. */
function isInScope(node: MemoryNode | undefined, query: VectorQuery): boolean {
  return node !== undefined && fitsScope(node, query);
}

function bestFirst(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}
