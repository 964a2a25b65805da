import { setImmediate as nextTurn } from 'node:timers/promises';
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
  /** Memories of which this is true are left out, and others take their places. */
  readonly except?: (node: MemoryNode) => boolean;
  /** Once it aborts, nothing more is asked for. */
  readonly signal?: AbortSignal;
}

export interface FoundNode {
  readonly node: MemoryNode;
  /** 0 to 1; 0.7 and more means relevant. */
  readonly relevance: number;
}

/** Candidates of each ranking: enough that what is good in both is in both. */
const CANDIDATES_PER_RESULT = 4;
const MIN_CANDIDATES = 50;
/** So many times more are asked for where most candidates are such as are left out. */
const MORE_FACTOR = 4;
/** Chosen on the development half of `bench/memory/quality`: with 1 a single shared word still says too much. */
const COVERAGE_POWER = 2;
/** Memories read in one go: a few milliseconds where they are long. */
const READ_AT_ONCE = 100;
/** Of each candidate asked for, how many are scored: to score a text takes longer than all the rest. */
const MAX_SCORED = 2;

/** Memories by their words and by their meaning at once. */
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
        const enough = Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_RESULT);
        const [vector] = await embedder.embed([text], signal);
        signal?.throwIfAborted();
        if (vector === undefined) return [];
        const find = (most: number): Promise<Rankings> => {
          const nearest = { ...scope, spaceId: space.id, vector, limit: most };
          return Promise.all([
            kind === 'semantic'
              ? searchSemanticVectors({ graph, index }, nearest)
              : graph.searchVectors(nearest),
            graph.searchText({ ...scope, text, limit: most }),
          ]);
        };
        const { nodes, byMeaning, byWords } = await findBest(graph, find, enough, except);
        const cosines = new Map(byMeaning.map(({ id, score }) => [id, score]));
        const ranks = { meaning: fuseRankings([byMeaning]), words: fuseRankings([byWords]) };
        const candidates = nodes.map((node) => ({
          node,
          cosine: cosines.get(node.id) ?? cosineOfOthers(byMeaning),
        }));
        const scored = await scoreCandidates(candidates, embedder, { text, threshold });
        return scored
          .map(({ node, relevance, coverage }) => ({ node, relevance, rank: rankOf(node, ranks, coverage) }))
          .sort(order === 'fused' ? byRank : byRelevance)
          .slice(0, limit)
          .map(({ node, relevance }) => ({ node, relevance }));
      }),
  };
}

/**
 * What words say counts by the share of the query's words that the memory has: one that shares a single common word with a
 * question may be the first by words, and next to nothing.
 */
function rankOf({ id }: MemoryNode, { meaning, words }: Ranks, coverage: number): number {
  return (meaning.get(id) ?? 0) + coverage ** COVERAGE_POWER * (words.get(id) ?? 0);
}

type Rankings = [byMeaning: SearchHit[], byWords: SearchHit[]];

interface Best {
  readonly nodes: MemoryNode[];
  readonly byMeaning: readonly SearchHit[];
  readonly byWords: readonly SearchHit[];
}

/** Candidates of both rankings; where most of them are to be left out, what is wanted may be behind them. */
async function findBest(
  graph: Pick<MemoryGraph, 'getMany'>,
  find: (most: number) => Promise<Rankings>,
  enough: number,
  except: (node: MemoryNode) => boolean,
): Promise<Best> {
  for (let asked = boundedLimit(enough); ; asked = boundedLimit(asked * MORE_FACTOR)) {
    const [byMeaning, byWords] = await find(asked);
    const ranks = fuseRankings([byMeaning, byWords]);
    const nodes = await readBest(graph, ranks, { most: MAX_SCORED * enough, except });
    const hasMore = Math.max(byMeaning.length, byWords.length) >= asked && asked < MAX_MEMORY_LIMIT;
    if (!hasMore || nodes.length >= enough / 2) return { nodes, byMeaning, byWords };
  }
}

/** The memories that rank best, somewhat more than `most` where there are so many. */
async function readBest(
  graph: Pick<MemoryGraph, 'getMany'>,
  ranks: ReadonlyMap<string, number>,
  { most, except }: { readonly most: number; readonly except: (node: MemoryNode) => boolean },
): Promise<MemoryNode[]> {
  const ids = [...ranks].sort(([, one], [, other]) => other - one).map(([id]) => id);
  const best: MemoryNode[] = [];
  for (let from = 0; from < ids.length && best.length < most; from += READ_AT_ONCE) {
    if (from > 0) await nextTurn();
    const nodes = await graph.getMany(ids.slice(from, from + READ_AT_ONCE));
    for (const node of nodes.values()) if (!except(node)) best.push(node);
  }
  return best;
}

/**
 * For what only words found. It is no nearer than the last of the nearest, and how much further nobody knows: it counts as
 * unrelated, so that meaning says nothing for it, and as opposed where all that is not among the nearest is.
 */
function cosineOfOthers(hits: readonly SearchHit[]): number {
  return Math.min(0, hits.at(-1)?.score ?? 0);
}

/** What each ranking gives a memory, by id. */
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

/** Where two rank alike, importance decides, and after it recency. */
function byRank(one: Ranked, other: Ranked): number {
  return (
    other.rank - one.rank ||
    other.node.weight - one.node.weight ||
    other.node.timestamp - one.node.timestamp ||
    (one.node.id < other.node.id ? -1 : 1)
  );
}
