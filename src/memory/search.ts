import type { Embedder } from '../embeddings';
import { coverageOf } from '../embeddings/lexical/coverage';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../stores/memory/node';
import type { MemoryFilters, SearchHit } from '../stores/memory/search';
import type { VectorIndex } from '../stores/memory/vector-index';
import { fuseRankings } from './fusion';
import { searchSemanticVectors } from './semantic-vectors';
import type { OpenSpaces } from './vector-spaces';

export interface MemorySearchPorts {
  readonly graph: MemoryGraph;
  readonly spaces: OpenSpaces;
  /** Absent: the graph holds the vectors of semantic memories too. */
  readonly index: VectorIndex | undefined;
}

export interface HybridQuery {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly text: string;
  readonly filters?: MemoryFilters;
  readonly limit: number;
  /** Least relevance, 0 to 1. */
  readonly threshold: number;
  /** `fused`: as words and meaning rank them together, the default; `relevance`: by the score that is told. */
  readonly order?: 'fused' | 'relevance';
  /** Memories of this session are left out. */
  readonly exceptSession?: string;
}

export interface FoundNode {
  readonly node: MemoryNode;
  /** 0 to 1; 0.7 and more means relevant. */
  readonly relevance: number;
}

/** Candidates of each ranking: enough that what is good in both is in both. */
const CANDIDATES_PER_RESULT = 4;
const LEAST_CANDIDATES = 50;
/** So many times more where a session is left out, as its own memories are among the candidates. */
const SESSION_FACTOR = 4;

/** Memories by their words and by their meaning at once. */
export interface MemorySearch {
  /** Best first. @throws what graph, index and embedder throw */
  hybrid(query: HybridQuery): Promise<FoundNode[]>;
}

export function createMemorySearch({ graph, spaces, index }: MemorySearchPorts): MemorySearch {
  return {
    hybrid: (query) =>
      spaces.use(async ({ space, embedder }) => {
        const { userId, kind, text, filters, limit, threshold, order = 'fused', exceptSession } = query;
        const scope = { userId, kind, ...(filters === undefined ? {} : { filters }) };
        const enough = Math.max(LEAST_CANDIDATES, limit * CANDIDATES_PER_RESULT);
        const candidates = exceptSession === undefined ? enough : enough * SESSION_FACTOR;
        const [vector] = await embedder.embed([text]);
        if (vector === undefined) return [];
        const nearest = { ...scope, spaceId: space.id, vector, limit: candidates };
        const [byMeaning, byWords] = await Promise.all([
          kind === 'semantic'
            ? searchSemanticVectors({ graph, index }, nearest)
            : graph.searchVectors(nearest),
          graph.searchText({ ...scope, text, limit: candidates }),
        ]);
        const fused = fuseRankings([byMeaning, byWords]);
        const nodes = await graph.getMany([...fused.keys()]);
        const cosines = new Map(byMeaning.map(({ id, score }) => [id, score]));
        return (
          [...nodes.values()]
            .filter(({ sessionId }) => exceptSession === undefined || sessionId !== exceptSession)
            .map((node) => ({ node, rank: fused.get(node.id) ?? 0 }))
            .sort(byRank)
            // To score a text takes longer than all the rest.
            .slice(0, 2 * enough)
            .map(({ node, rank }) => ({
              node,
              relevance: relevanceOf(embedder, text, node, cosines.get(node.id) ?? furthest(byMeaning)),
              rank,
            }))
            .filter(({ relevance }) => relevance >= threshold)
            .sort(order === 'fused' ? byRank : byRelevance)
            .slice(0, limit)
            .map(({ node, relevance }) => ({ node, relevance }))
        );
      }),
  };
}

/** By meaning or by words, whichever says more: a name may be in a memory whose meaning is far from the query's. */
function relevanceOf(embedder: Embedder, text: string, node: MemoryNode, cosine: number): number {
  return Math.max(embedder.relevance(text, node.text, cosine), byWords(text, node.text));
}

/** What is not among the nearest is no nearer than the last of them. */
function furthest(hits: readonly SearchHit[]): number {
  return Math.min(0, hits.at(-1)?.score ?? 0);
}

/** All words of a query in a memory make it as relevant as it can be by words alone. */
const MOST_BY_WORDS = 0.95;

function byWords(query: string, text: string): number {
  return (coverageOf(query, text) ?? 0) * MOST_BY_WORDS;
}

interface Ranked {
  readonly node: MemoryNode;
  readonly rank: number;
}

function byRelevance(one: Ranked & FoundNode, other: Ranked & FoundNode): number {
  return other.relevance - one.relevance || byRank(one, other);
}

/** Where two rank alike, importance decides, and after it recency. */
function byRank(one: Ranked, other: Ranked): number {
  return (
    other.rank - one.rank ||
    other.node.weight - one.node.weight ||
    other.node.timestamp - one.node.timestamp ||
    (one.node.id < other.node.id ? -1 : 1)
  );
}
