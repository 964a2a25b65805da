import { setImmediate as nextIteration } from 'node:timers/promises';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import type { MemoryFilters, SearchHit } from '../../stores/memory/search';
import { boundedLimit, MAX_MEMORY_LIMIT } from '../../stores/memory/search';
import type { VectorIndex } from '../../stores/memory/vector-index';
import { fuseRankings } from './rank-fusion';
import { scoreCandidates } from './scoring';
import { searchSemanticVectors } from './semantic-vectors';
import type { OpenSpaces } from '../vectors/vector-spaces';

export interface MemorySearchPorts {
  readonly graph: MemoryGraph;
  readonly spaces: OpenSpaces;
  /** Absent: the graph has the vectors of semantic memories too. */
  readonly index: VectorIndex | undefined;
}

export interface HybridQuery {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly text: string;
  readonly filters?: MemoryFilters;
  readonly limit: number;
  /** Minimum relevance, 0 to 1. */
  readonly threshold: number;
  /** `fused`, the default: by the fused ranks of words and meaning; `relevance`: by the relevance that is returned. */
  readonly order?: 'fused' | 'relevance';
  /** Memories for which this is true are left out, and others take their places. */
  readonly except?: (node: MemoryNode) => boolean;
  /** After its abort no further search begins. */
  readonly signal?: AbortSignal;
}

export interface FoundNode {
  readonly node: MemoryNode;
  /** 0 to 1; from 0.7 on the memory is relevant. */
  readonly relevance: number;
}

/** Number of candidates of each ranking for each result: enough that a memory that is good in both is in both. */
const CANDIDATES_PER_RESULT = 4;
const MIN_CANDIDATES = 50;
/** The factor by which the number of candidates grows where most of them are left out. */
const MORE_FACTOR = 4;
/** Chosen on the development half of `bench/memory/quality`: with 1 a single shared word still counts too much. */
const COVERAGE_POWER = 2;
/** Number of memories in one read, which takes a few milliseconds where they are long. */
const READ_AT_ONCE = 100;
/** Maximum number of scored memories for each requested candidate: scoring a text takes longer than all other work. */
const MAX_SCORED = 2;

/** Searches memories by words and by meaning at once. */
export interface MemorySearch {
  /** Best first. @throws what graph, index and embedder throw */
  hybrid(query: HybridQuery): Promise<FoundNode[]>;
}

export function createMemorySearch({ graph, spaces, index }: MemorySearchPorts): MemorySearch {
  return {
    hybrid: (query) =>
      spaces.use(async ({ space, embedder }) => {
        const {
          userId,
          kind,
          text,
          filters,
          limit,
          threshold,
          order = 'fused',
          except = () => false,
          signal,
        } = query;
        const scope = { userId, kind, filters };
        const minCandidates = Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_RESULT);
        const [vector] = await embedder.embed([text], signal);
        signal?.throwIfAborted();
        if (vector === undefined) return [];
        const find = (count: number): Promise<Rankings> => {
          const nearest = { ...scope, spaceId: space.id, vector, limit: count };
          return Promise.all([
            kind === 'semantic'
              ? searchSemanticVectors({ graph, index }, nearest)
              : graph.searchVectors(nearest),
            graph.searchText({ ...scope, text, limit: count }),
          ]);
        };
        const { nodes, byMeaning, byWords } = await findBest(graph, find, minCandidates, except);
        const cosines = new Map(byMeaning.map(({ id, score }) => [id, score]));
        const ranks = { meaning: fuseRankings([byMeaning]), words: fuseRankings([byWords]) };
        const candidates = nodes.map((node) => ({
          node,
          cosine: cosines.get(node.id) ?? defaultCosine(byMeaning),
        }));
        const scored = await scoreCandidates(candidates, embedder, { text, threshold });
        return scored
          .map(({ node, relevance, coverage }) => ({
            node,
            relevance,
            rank: computeRank(node, ranks, coverage),
          }))
          .sort(order === 'fused' ? byRank : byRelevance)
          .slice(0, limit)
          .map(({ node, relevance }) => ({ node, relevance }));
      }),
  };
}

/**
 * Weighs the rank by words by the share of the query's words that the memory has: a memory that shares a single common
 * word with a question may be the first by words, and still be irrelevant.
 */
function computeRank({ id }: MemoryNode, { meaning, words }: Ranks, coverage: number): number {
  return (meaning.get(id) ?? 0) + coverage ** COVERAGE_POWER * (words.get(id) ?? 0);
}

type Rankings = [byMeaning: SearchHit[], byWords: SearchHit[]];

interface Best {
  readonly nodes: MemoryNode[];
  readonly byMeaning: readonly SearchHit[];
  readonly byWords: readonly SearchHit[];
}

/**
 * Finds candidates of both rankings, more of them where most are left out, because wanted ones may rank behind them.
 */
async function findBest(
  graph: Pick<MemoryGraph, 'getMany'>,
  find: (limit: number) => Promise<Rankings>,
  minCandidates: number,
  except: (node: MemoryNode) => boolean,
): Promise<Best> {
  for (let asked = boundedLimit(minCandidates); ; asked = boundedLimit(asked * MORE_FACTOR)) {
    const [byMeaning, byWords] = await find(asked);
    const ranks = fuseRankings([byMeaning, byWords]);
    const nodes = await readBest(graph, ranks, { minNodes: MAX_SCORED * minCandidates, except });
    const hasMore = Math.max(byMeaning.length, byWords.length) >= asked && asked < MAX_MEMORY_LIMIT;
    if (!hasMore || nodes.length >= minCandidates / 2) return { nodes, byMeaning, byWords };
  }
}

/** Reads the memories that rank best: at least `minNodes` and somewhat more, where there are that many. */
async function readBest(
  graph: Pick<MemoryGraph, 'getMany'>,
  ranks: ReadonlyMap<string, number>,
  { minNodes, except }: { readonly minNodes: number; readonly except: (node: MemoryNode) => boolean },
): Promise<MemoryNode[]> {
  const ids = [...ranks].sort(([, one], [, other]) => other - one).map(([id]) => id);
  const best: MemoryNode[] = [];
  for (let from = 0; from < ids.length && best.length < minNodes; from += READ_AT_ONCE) {
    if (from > 0) await nextIteration();
    const nodes = await graph.getMany(ids.slice(from, from + READ_AT_ONCE));
    for (const node of nodes.values()) if (!except(node)) best.push(node);
  }
  return best;
}

/**
 * The cosine of memories that only the words found. Such a memory is no nearer than the last of the nearest, and its
 * distance is unknown: it counts as unrelated, so that its meaning adds nothing, and as opposed where even the last of
 * the nearest is.
 */
function defaultCosine(hits: readonly SearchHit[]): number {
  return Math.min(0, hits.at(-1)?.score ?? 0);
}

/** The fused rank of each memory in each ranking, by id. */
interface Ranks {
  readonly meaning: ReadonlyMap<string, number>;
  readonly words: ReadonlyMap<string, number>;
}

interface Ranked {
  readonly node: MemoryNode;
  readonly rank: number;
}

function byRelevance(one: Ranked & FoundNode, other: Ranked & FoundNode): number {
  return other.relevance - one.relevance || byRank(one, other);
}

/** Where two memories rank equally, importance decides, and then recency. */
function byRank(one: Ranked, other: Ranked): number {
  return (
    other.rank - one.rank ||
    other.node.weight - one.node.weight ||
    other.node.timestamp - one.node.timestamp ||
    (one.node.id < other.node.id ? -1 : 1)
  );
}
