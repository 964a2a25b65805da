import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import { boundedLimit, MAX_MEMORY_LIMIT, type SearchHit } from '../../stores/memory/search';
import { toRankings, type Rankings } from './fusion';
import { createYielder } from '../../base/async/large-pieces';

/** The best hits of both rankings. */
export type Hits = readonly [byMeaning: readonly SearchHit[], byWords: readonly SearchHit[]];

export interface Candidates {
  readonly nodes: readonly MemoryNode[];
  readonly rankings: Rankings;
}

interface CandidateQuery {
  /** Finds up to `limit` hits of each ranking. */
  readonly find: (limit: number) => Promise<Hits>;
  readonly minCandidates: number;
  /** Memories for which this is true are left out. */
  readonly except: (node: MemoryNode) => boolean;
}

/** The factor by which the number of candidates grows if most of them are left out. */
const MORE_FACTOR = 4;
/** Number of memories in one read, which takes a few milliseconds if they are long. */
const READ_AT_ONCE = 100;
/** Maximum number of read memories for each requested candidate: scoring a text takes longer than all other work. */
const MAX_READ = 2;

/**
 * Finds candidates of both rankings, more of them if most are left out, because wanted ones may rank behind them.
 */
export async function findCandidates(
  graph: Pick<UserMemories, 'getMany'>,
  { find, minCandidates, except }: CandidateQuery,
): Promise<Candidates> {
  for (let askedFor = boundedLimit(minCandidates); ; askedFor = boundedLimit(askedFor * MORE_FACTOR)) {
    const [byMeaning, byWords] = await find(askedFor);
    const rankings = toRankings(byMeaning, byWords);
    const nodes = await readBest(graph, orderByBoth(rankings), MAX_READ * minCandidates, except);
    const hasMore = Math.max(byMeaning.length, byWords.length) >= askedFor && askedFor < MAX_MEMORY_LIMIT;
    if (!hasMore || nodes.length >= minCandidates / 2) return { nodes, rankings };
  }
}

function orderByBoth({ meaning, words }: Rankings): string[] {
  const sum = (id: string): number => (meaning.get(id)?.scaled ?? 0) + (words.get(id)?.scaled ?? 0);
  return [...new Set([...meaning.keys(), ...words.keys()])]
    .map((id) => ({ id, sum: sum(id) }))
    .sort((one, other) => other.sum - one.sum)
    .map(({ id }) => id);
}

/** Reads the first memories, about `minNodes` of them. */
async function readBest(
  graph: Pick<UserMemories, 'getMany'>,
  ids: readonly string[],
  minNodes: number,
  except: (node: MemoryNode) => boolean,
): Promise<MemoryNode[]> {
  const best: MemoryNode[] = [];
  const yieldWhenDue = createYielder();
  for (let from = 0; from < ids.length && best.length < minNodes; from += READ_AT_ONCE) {
    const nodes = await graph.getMany(ids.slice(from, from + READ_AT_ONCE));
    for (const node of nodes.values()) {
      // Whether a long memory is left out may take a millisecond.
      await yieldWhenDue();
      if (!except(node)) best.push(node);
    }
  }
  return best;
}
