import { coverageByAny } from '../../embeddings/lexical/coverage';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import {
  boundedLimit,
  MAX_MEMORY_LIMIT,
  type MemoryFilters,
  type SearchHit,
  type TextQuery,
} from '../../stores/memory/search';
import type { FoundNode } from './ranking';
import { createYielder } from '../../base/async/large-pieces';

export interface WordQuery {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly filters?: MemoryFilters;
  /** Alternatives: the text that a memory covers best decides its relevance. */
  readonly texts: readonly string[];
  readonly limit: number;
  /** The relevance of a memory that has all words of a text, 0 to 1. */
  readonly weight: number;
  /** Memories for which this is true are left out, and others take their places. */
  readonly except?: (node: MemoryNode) => boolean;
}

/** Number of memories read for scoring, for each result. */
const CANDIDATES_PER_RESULT = 4;
/** Number of memories in one read, which takes a few milliseconds if they are long. */
const READ_AT_ONCE = 100;

/** Searches memories by words alone, best first. @throws HoldfastError `STORE_UNAVAILABLE` */
export async function searchWords(
  graph: Pick<UserMemories, 'searchText' | 'getMany'>,
  { texts, limit, weight, except = () => false, ...scope }: WordQuery,
): Promise<FoundNode[]> {
  if (limit === 0) return [];
  const coverageOf = coverageByAny(texts);
  const yieldWhenDue = createYielder();
  const foundNodes: FoundNode[] = [];
  for (const node of await findWords(graph, { ...scope, text: texts.join(' ') }, limit, except)) {
    await yieldWhenDue();
    const relevance = weight * (coverageOf(node.text) ?? 0);
    if (relevance > 0) foundNodes.push({ node, relevance });
  }
  return foundNodes.sort((one, other) => other.relevance - one.relevance).slice(0, limit);
}

/**
 * Finds candidates in the order of the store, more of them if most are left out, because wanted ones may be behind
 * them.
 */
async function findWords(
  graph: Pick<UserMemories, 'searchText' | 'getMany'>,
  query: Omit<TextQuery, 'limit'>,
  limit: number,
  except: (node: MemoryNode) => boolean,
): Promise<MemoryNode[]> {
  let askedFor = boundedLimit(limit * CANDIDATES_PER_RESULT);
  const yieldWhenDue = createYielder();
  for (;;) {
    const hits = await graph.searchText({ ...query, limit: askedFor });
    const nodes: MemoryNode[] = [];
    for (const node of await readNodes(graph, hits)) {
      await yieldWhenDue();
      if (!except(node)) nodes.push(node);
    }
    if (hits.length < askedFor || askedFor === MAX_MEMORY_LIMIT || nodes.length >= askedFor / 2) return nodes;
    askedFor = boundedLimit(askedFor * CANDIDATES_PER_RESULT);
  }
}

/** Reads memories in the order of the hits, in several reads, because each memory may be long. */
async function readNodes(
  graph: Pick<UserMemories, 'getMany'>,
  hits: readonly SearchHit[],
): Promise<MemoryNode[]> {
  const nodes: MemoryNode[] = [];
  for (let from = 0; from < hits.length; from += READ_AT_ONCE) {
    const ids = hits.slice(from, from + READ_AT_ONCE).map(({ id }) => id);
    const read = await graph.getMany(ids);
    nodes.push(...ids.flatMap((id) => read.get(id) ?? []));
  }
  return nodes;
}
