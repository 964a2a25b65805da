import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { VectorEntry, VectorIndex } from '../../stores/memory/vector-index';
import type { VectorTombstone, PendingVector } from '../../stores/memory/vector-outbox';
import type { ReembedVectors } from './reembed-vectors';
import { groupBy } from '../../base/lists';

export interface VectorRelayPorts {
  readonly graph: Pick<
    MemoryGraph,
    'getMany' | 'listPendingVectors' | 'releaseVectors' | 'listTombstones' | 'deleteTombstones'
  >;
  readonly index: VectorIndex;
  readonly reembed: ReembedVectors;
  /** The maximum number of pending vectors, and of tombstones, that one round reads. */
  readonly limit: number;
}

export interface RelayedVectors {
  /** Vectors that the graph released because the index shows them. */
  readonly released: number;
  /** Vectors put into the index, which shows them some time later. */
  readonly put: number;
  /** Vectors taken out of the index. */
  readonly removed: number;
  /**
   * Vectors embedded again because their memory changed while the relay put an earlier one. By then another process may
   * have put and released the new vector, which the earlier one has overwritten in the index.
   */
  readonly reembedded: number;
  /** The round read as many as it may, so more may be waiting. */
  readonly isFull: boolean;
}

export interface VectorRelay {
  /**
   * Puts the graph's pending vectors into the index and removes those with a tombstone. A later round releases a
   * vector, once the index shows it; until then each round puts it again. A round may be repeated, interrupted at any
   * point, and run by several processes at once; within one process, one round runs at a time.
   */
  round(signal?: AbortSignal): Promise<RelayedVectors>;
}

/** A vector that was put, or may have been. */
interface Put extends VectorTombstone {
  readonly revision: number;
}

export function createVectorRelay({ graph, index, reembed, limit }: VectorRelayPorts): VectorRelay {
  /**
   * Puts after which the relay has not checked the memory yet. Those of a round that failed stay for the next one,
   * because a put without an answer may still arrive.
   */
  const uncheckedPuts = new Map<string, Put>();

  async function findVisible(
    pending: readonly PendingVector[],
    signal?: AbortSignal,
  ): Promise<Set<PendingVector>> {
    const foundVectors = new Set<PendingVector>();
    for (const group of groupBy(pending, ({ node, vector }) =>
      JSON.stringify([vector.spaceId, node.userId]),
    )) {
      const [{ node, vector }] = group;
      const revisions = Object.fromEntries(group.map((one) => [one.node.id, one.node.revision]));
      const visible = await index.visible(vector.spaceId, node.userId, revisions, signal);
      for (const one of group) if (visible.has(one.node.id)) foundVectors.add(one);
    }
    return foundVectors;
  }

  /** @returns the failure, if there was one */
  async function put(
    pending: readonly PendingVector[],
    signal?: AbortSignal,
  ): Promise<{ error: unknown } | undefined> {
    try {
      for (const group of groupBy(pending, ({ vector }) => String(vector.spaceId))) {
        for (const one of group) recordPut(one);
        await index.upsert(group[0].vector.spaceId, group.map(toEntry), signal);
      }
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  function recordPut({ node: { id, userId, revision }, vector: { spaceId } }: PendingVector): void {
    const key = JSON.stringify([spaceId, id]);
    // The oldest of several counts, because any of them may be the last to arrive.
    if (!uncheckedPuts.has(key)) uncheckedPuts.set(key, { id, userId, spaceId, revision });
  }

  /** Returns the unchecked puts whose memory was deleted, and those whose memory has changed. */
  async function findChanged(): Promise<{ readonly gone: Put[]; readonly overtaken: Put[] }> {
    const puts = [...uncheckedPuts.values()];
    if (puts.length === 0) return { gone: [], overtaken: [] };
    const nodes = await graph.getMany([...new Set(puts.map(({ id }) => id))]);
    return {
      gone: puts.filter(({ id }) => !nodes.has(id)),
      overtaken: puts.filter(({ id, revision }) => (nodes.get(id)?.revision ?? revision) > revision),
    };
  }

  return {
    async round(signal) {
      const pending = await graph.listPendingVectors(limit);
      const visible = await findVisible(pending, signal);
      const released = visible.size === 0 ? 0 : await graph.releaseVectors([...visible].map(toVisibleVector));
      // The released vectors make room for others.
      const rest = visible.size === 0 ? pending : await graph.listPendingVectors(limit);
      const failure = await put(rest, signal);
      // A process that changed a memory between the list and the put did not know of the put.
      const { gone, overtaken } = await findChanged();
      // Tombstones are read after the puts, because one of these memories may have been deleted since it was listed.
      const tombstones = await graph.listTombstones(limit);
      await removeVectors(index, [...gone, ...tombstones], signal);
      if (tombstones.length > 0) await graph.deleteTombstones(tombstones);
      const reembedded = overtaken.length === 0 ? 0 : await reembed(overtaken, signal);
      if (failure !== undefined) throw failure.error;
      uncheckedPuts.clear();
      const isFull = [rest, tombstones].some(({ length }) => length === limit);
      return { released, put: rest.length, removed: tombstones.length, reembedded, isFull };
    },
  };
}

async function removeVectors(
  index: VectorIndex,
  vectors: readonly VectorTombstone[],
  signal?: AbortSignal,
): Promise<void> {
  for (const group of groupBy(vectors, ({ spaceId, userId }) => JSON.stringify([spaceId, userId]))) {
    const [{ spaceId, userId }] = group;
    await index.remove(spaceId, userId, [...new Set(group.map(({ id }) => id))], signal);
  }
}

function toEntry({ node, vector }: PendingVector): VectorEntry {
  const { id, userId, revision, timestamp, labels, weight } = node;
  return { id, userId, revision, timestamp, labels, weight, values: vector.values };
}

function toVisibleVector({ node, vector }: PendingVector): { id: string; spaceId: number; revision: number } {
  return { id: node.id, spaceId: vector.spaceId, revision: node.revision };
}
