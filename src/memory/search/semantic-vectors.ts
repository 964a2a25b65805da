import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { MemoryFilters, SearchHit, VectorQuery } from '../../stores/memory/search';
import type { VectorIndex } from '../../stores/memory/vector-index';

export interface SemanticVectorStores {
  readonly graph: Pick<MemoryGraph, 'searchVectors' | 'getMany'>;
  /** Absent: the graph holds every vector for good. */
  readonly index: VectorIndex | undefined;
}

/** More than a user's vectors wait in the graph for the index, other than in an outage. */
const MAX_HELD = 1_000;
/** For hits that the index still shows though their memory was deleted, or changed so that it fits no more. */
const SPARE_HITS = 32;
const FACTOR = 8;
const MAX_ASKED_FOR = 10_000;

/**
 * The semantic memories nearest to a vector, wherever their vectors are: best first, ids deciding between equals.
 * Each is in the graph and fits the filters as it stands there. A vector that the graph holds is newer than the one
 * of the same memory in the index, and counts alone.
 * @throws HoldfastError `STORE_UNAVAILABLE` where one of the two cannot be reached
 */
export async function searchSemanticVectors(
  { graph, index }: SemanticVectorStores,
  query: VectorQuery,
  signal?: AbortSignal,
): Promise<SearchHit[]> {
  if (index === undefined) return graph.searchVectors(query);
  // The graph first: what it has let go of by now, the index shows from now on. The other way round, a vector could
  // be let go of between the two reads, and be in neither.
  const held = await graph.searchVectors({ ...query, limit: Math.max(query.limit, MAX_HELD) });
  const heldIds = new Set(held.map(({ id }) => id));
  for (let limit = query.limit + SPARE_HITS; ; limit *= FACTOR) {
    const asked = Math.min(limit, MAX_ASKED_FOR);
    const shown = await index.search({ ...query, limit: asked }, signal);
    const nodes = await graph.getMany(shown.map(({ id }) => id));
    const current = shown.filter(({ id }) => !heldIds.has(id) && fits(nodes.get(id), query));
    const hits = [...held, ...current].sort(bestFirst);
    const sure = countSure(hits, shown, asked);
    if (sure >= query.limit || asked === MAX_ASKED_FOR) return hits.slice(0, query.limit);
  }
}

/** How many of the hits nothing can come before that the index has not shown yet. */
function countSure(hits: readonly SearchHit[], shown: readonly SearchHit[], asked: number): number {
  const last = shown.at(-1);
  if (shown.length < asked || last === undefined) return Infinity;
  return hits.filter(({ score }) => score >= last.score).length;
}

/** The index may not know of the last change yet. */
function fits(node: MemoryNode | undefined, { userId, kind, filters }: VectorQuery): boolean {
  return node?.userId === userId && node.kind === kind && passes(node, filters ?? {});
}

function passes(node: MemoryNode, filters: MemoryFilters): boolean {
  const { sessionId, from = -Infinity, to = Infinity, anyLabel, minWeight = 0, maxWeight = 1 } = filters;
  return (
    (sessionId === undefined || node.sessionId === sessionId) &&
    node.timestamp >= from &&
    node.timestamp <= to &&
    (anyLabel === undefined || node.labels.some((label) => anyLabel.includes(label))) &&
    node.weight >= minWeight &&
    node.weight <= maxWeight
  );
}

function bestFirst(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}
