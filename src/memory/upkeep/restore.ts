import { isHoldfastError } from '../../base/errors';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { NewMemoryNode, Placement } from '../../stores/memory/node';
import type { Facts } from '../facts/facts';
import { createNodeAccess } from '../nodes/node-access';
import type { OpenSpaces } from '../vectors/vector-spaces';
import type { ArchivedMemory } from './archive';

export interface RestorerPorts {
  readonly graph: UserMemories;
  readonly spaces: OpenSpaces;
  readonly facts: Pick<Facts, 'restore'>;
}

/**
 * Restores an archived memory with its id, time, place in its session, counts of reads, vector and facts. The embedder makes the
 * same vector of the same text again. No quota refuses it. A repeat changes nothing. If a session has changed meanwhile, the
 * memory comes beside the neighbour that is left, or else at its time.
 */
export function createMemoryRestorer({ graph, spaces, facts }: RestorerPorts) {
  const nodes = createNodeAccess('episodic', { graph, spaces });

  async function findPlacement({ node, neighbours }: ArchivedMemory): Promise<Placement> {
    const { id, userId, kind, sessionId, timestamp } = node;
    if (sessionId === null) return {};
    const { previous = '', next = '' } = neighbours;
    const present = await graph.getMany([previous, next].filter((each) => each !== ''));
    const isThere = (other: string): boolean => present.get(other)?.sessionId === sessionId;
    if (isThere(previous) && isThere(next)) {
      const beside = (await graph.neighbours([previous])).get(previous)?.next;
      return beside === next || beside === id ? { after: previous, before: next } : { after: previous };
    }
    if (isThere(previous)) return { after: previous };
    if (isThere(next)) return { before: next };
    const scope = { userId, kind, limit: 1 };
    const [earlier] = await graph.list({
      ...scope,
      filters: { sessionId, to: timestamp },
      order: 'newest-first',
    });
    if (earlier !== undefined) return { after: earlier.id };
    const [later] = await graph.list({ ...scope, filters: { sessionId }, order: 'oldest-first' });
    return later === undefined ? {} : { before: later.id };
  }

  async function insert(node: NewMemoryNode, placement: Placement) {
    try {
      return await nodes.insert({ node, placement });
    } catch (error) {
      // A neighbour was deleted or moved in between.
      if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
      return nodes.insert({ node });
    }
  }

  return async (copy: ArchivedMemory): Promise<void> => {
    const { readCount, readAt, revision: _revision, ...node } = copy.node;
    // A run that is still archiving may be about to delete the memory; its deletion then finds another revision.
    const isPresent =
      (await graph.get(node.id)) !== undefined && (await graph.update(node.id, {})) !== undefined;
    const placement = isPresent ? {} : await findPlacement(copy);
    const restored = await insert(node, placement);
    // A memory that was never deleted may say something else by now.
    const source = restored.text === node.text ? copy.source : undefined;
    const missing = readCount - restored.readCount;
    if (missing > 0) await graph.noteReads([{ id: node.id, count: missing, at: readAt ?? node.timestamp }]);
    await facts.restore(node.userId, node.id, source);
  };
}
