import type { UserMemories, Neighbours } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';

/** What a memory gets from its neighbours in its session, as shares of their scores. */
interface Shares {
  readonly previous: number;
  readonly next: number;
}

/**
 * The shares in the order of results. What was said before is more often the question to an answer than what was said after.
 * Chosen on two conversations of LoCoMo and on the development half of `bench/memory/quality`.
 */
const RANK_SHARES: Shares = { previous: 0.25, next: 0.1 };
/** The shares in relevance. A neighbour of a relevant memory is worth a look, but never relevant by that alone. */
const RELEVANCE_SHARES: Shares = { previous: 0.5, next: 0.3 };

/** The scores of the neighbours of a memory; 0 if a neighbour is absent, or if the query did not find it. */
type NeighbourScores = Shares;

/**
 * Computes the score of a memory in its session: its own has the share that its neighbours leave. So a turn that answers "Rome!"
 * is found by the question before it, and nothing of its neighbours has to be stored with a memory. Pure.
 */
export function scoreInSession(ownScore: number, { previous, next }: NeighbourScores): number {
  const ownShare = 1 - RANK_SHARES.previous - RANK_SHARES.next;
  return ownShare * ownScore + RANK_SHARES.previous * previous + RANK_SHARES.next * next;
}

/** Computes what the neighbours of a memory say of its relevance, each by itself, 0 to 1. Pure. */
export function relevanceByNeighbours({ previous, next }: NeighbourScores): NeighbourScores {
  return { previous: RELEVANCE_SHARES.previous * previous, next: RELEVANCE_SHARES.next * next };
}

/** Adds the reverse links: if A is followed by B, B is preceded by A. Pure. */
export function bothWays(neighbours: ReadonlyMap<string, Neighbours>): Map<string, Neighbours> {
  const all = new Map<string, Neighbours>();
  for (const [id, { previous, next }] of neighbours) {
    if (previous !== undefined) all.set(previous, { ...all.get(previous), next: id });
    if (next !== undefined) all.set(next, { ...all.get(next), previous: id });
  }
  for (const [id, ownScores] of neighbours) all.set(id, ownScores);
  return all;
}

/** Reads the memories that stand beside the given ones in their sessions and are not among `known`. */
export async function readBeside(
  graph: Pick<UserMemories, 'getMany'>,
  ids: readonly string[],
  neighbours: ReadonlyMap<string, Neighbours>,
  known: ReadonlyMap<string, unknown>,
): Promise<MemoryNode[]> {
  const beside = ids.flatMap((id) => {
    const { previous, next } = neighbours.get(id) ?? {};
    return [previous, next].filter((each) => each !== undefined);
  });
  const missing = [...new Set(beside)].filter((id) => !known.has(id));
  return missing.length === 0 ? [] : [...(await graph.getMany(missing)).values()];
}
