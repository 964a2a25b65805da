import type { Embedder } from '../../embeddings/embedder';
import type { UserMemories, Neighbours } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import { fitsScope, type MemoryFilters } from '../../stores/memory/search';
import type { UserVectors } from '../../stores/tenants/tenant-memories';
import type { OpenSpaces } from '../vectors/vector-spaces';
import { findCandidates, type Candidates } from './candidates';
import { namedTimes, type NamedTime } from './named-times';
import { bothWays, readBeside } from './neighbours';
import { byRelevance, byScore, DATE_RELEVANCE, rankNode, type RankedNode } from './ranking';
import { scoreNodes, type OwnScore } from './scoring';
import { searchSemanticVectors } from './semantic-vectors';

export interface MemorySearchPorts {
  readonly graph: UserMemories;
  readonly spaces: OpenSpaces;
  /** Absent: the graph has the vectors of semantic memories too. */
  readonly index: UserVectors | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface HybridQuery {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly text: string;
  readonly filters?: MemoryFilters;
  readonly limit: number;
  /** Minimum relevance, 0 to 1. */
  readonly threshold: number;
  /**
   * `context`, the default: by words, meaning, the neighbours in the session and the times that the text names.
   * `relevance`: by the relevance of each memory by itself.
   */
  readonly order?: 'context' | 'relevance';
  /** The time from which words like "yesterday" count, epoch milliseconds; absent: now. */
  readonly asOf?: number | undefined;
  /** Memories for which this is true are left out, and others take their places. */
  readonly except?: (node: MemoryNode) => boolean;
  /** After its abort no further search begins. */
  readonly signal?: AbortSignal;
}

/** Searches memories by words and by meaning at once. */
export interface MemorySearch {
  /** Best first. @throws what graph, index and embedder throw */
  hybrid(query: HybridQuery): Promise<RankedNode[]>;
}

/** What a search in context knows of the memories around the candidates. */
interface Surroundings {
  /** Memories that are no candidates: neighbours of the best, and those of a time that the query names. */
  readonly nodes: readonly MemoryNode[];
  readonly neighbours: ReadonlyMap<string, Neighbours>;
  readonly times: readonly NamedTime[];
}

/** Minimum number of candidates of each ranking, and their number for each result: enough that a memory that is good in both is in both. */
const CANDIDATES_PER_RESULT = 4;
const MIN_CANDIDATES = 50;
/** Number of best candidates whose neighbours become candidates. */
const LOOKED_BESIDE = 10;
const NONE: Surroundings = { nodes: [], neighbours: new Map(), times: [] };

export function createMemorySearch({ graph, spaces, index, now }: MemorySearchPorts): MemorySearch {
  function findBoth(
    { userId, kind, text, filters, except = () => false, limit }: HybridQuery,
    { spaceId, vector }: { readonly spaceId: number; readonly vector: Float32Array },
  ): Promise<Candidates> {
    const scope = { userId, kind, filters };
    return findCandidates(graph, {
      minCandidates: Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_RESULT),
      except,
      find(count) {
        const nearest = { ...scope, spaceId, vector, limit: count };
        return Promise.all([
          kind === 'semantic'
            ? searchSemanticVectors({ graph, index }, nearest)
            : graph.searchVectors(nearest),
          graph.searchText({ ...scope, text, limit: count }),
        ]);
      },
    });
  }

  /** Lists the latest events of times that the query names, whose texts need not tell when they were stored. */
  async function findOfTimes(
    { userId, kind, filters = {}, limit: wanted }: HybridQuery,
    times: readonly NamedTime[],
  ): Promise<MemoryNode[]> {
    const limit = Math.ceil(Math.max(MIN_CANDIDATES, wanted) / Math.max(1, times.length));
    const lists = times.map(({ from, to }) => {
      const { from: minTime = from, to: maxTime = to } = filters;
      const within = { ...filters, from: Math.max(from, minTime), to: Math.min(to, maxTime) };
      return graph.list({ userId, kind, filters: within, order: 'newest-first', limit });
    });
    return (await Promise.all(lists)).flat();
  }

  /** Concepts have no sessions, and what holds does not depend on when it was noted, so only events have a context. */
  async function lookAround(
    query: HybridQuery,
    scores: ReadonlyMap<string, OwnScore>,
  ): Promise<Surroundings> {
    const times = query.threshold > DATE_RELEVANCE ? [] : await namedTimes(query.text, query.asOf ?? now());
    query.signal?.throwIfAborted();
    const best = [...scores]
      .sort(([idOne, one], [idOther, other]) => other.fused - one.fused || (idOne < idOther ? -1 : 1))
      .map(([id]) => id);
    const [neighbours, ofTimes] = await Promise.all([
      graph.neighbours(best.slice(0, MIN_CANDIDATES)),
      findOfTimes(query, times),
    ]);
    const beside = await readBeside(graph, best.slice(0, LOOKED_BESIDE), neighbours, scores);
    const except = query.except ?? (() => false);
    const nodes = [...ofTimes, ...beside].filter((node) => fitsScope(node, query) && !except(node));
    return { nodes, neighbours: bothWays(neighbours), times };
  }

  async function rank(query: HybridQuery, { nodes, rankings }: Candidates, embedder: Embedder) {
    const scoring = { text: query.text, rankings };
    const scores = await scoreNodes(nodes, embedder, scoring);
    const isInContext = query.order !== 'relevance';
    const around = isInContext && query.kind === 'episodic' ? await lookAround(query, scores) : NONE;
    const all = new Map([...around.nodes, ...nodes].map((node) => [node.id, node]));
    const added = [...all.values()].filter(({ id }) => !scores.has(id));
    for (const [id, score] of await scoreNodes(added, embedder, scoring)) scores.set(id, score);
    const isOfNamedTime = ({ timestamp }: MemoryNode): boolean =>
      around.times.some(({ from, to }) => timestamp >= from && timestamp <= to);
    return [...all.values()]
      .map((node) => rankNode(node, { scores, neighbours: around.neighbours, isOfNamedTime }))
      .filter(({ relevance }) => relevance >= query.threshold)
      .sort(isInContext ? byScore : byRelevance)
      .slice(0, query.limit);
  }

  return {
    hybrid: (query) =>
      spaces.use(async ({ space, embedder }) => {
        const [vector] = await embedder.embed([query.text], query.signal);
        query.signal?.throwIfAborted();
        if (vector === undefined) return [];
        return rank(query, await findBoth(query, { spaceId: space.id, vector }), embedder);
      }),
  };
}
