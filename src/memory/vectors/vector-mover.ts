import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { VectorEntry, VectorIndex } from '../../stores/memory/vector-index';
import type { DroppedVector, HeldVector } from '../../stores/memory/vector-outbox';
import type { RemakeVectors } from './remake-vectors';

export interface VectorMoverPorts {
  readonly graph: Pick<
    MemoryGraph,
    'getMany' | 'listHeldVectors' | 'releaseVectors' | 'listDroppedVectors' | 'forgetDroppedVectors'
  >;
  readonly index: VectorIndex;
  readonly remake: RemakeVectors;
  /** Most held vectors, and most dropped ones, that one round looks at. */
  readonly limit: number;
}

export interface MovedVectors {
  /** Vectors that the graph let go of, as the index shows them. */
  readonly released: number;
  /** Vectors put into the index, to be shown some time later. */
  readonly put: number;
  /** Vectors taken out of the index. */
  readonly removed: number;
  /**
   * Vectors made again, as their memory changed while a former one was put: another process may have put and released the new
   * one by then, whose place ours has taken in the index.
   */
  readonly remade: number;
  /** The round looked at as many as it may: more may be waiting. */
  readonly isFull: boolean;
}

export interface VectorMover {
  /**
   * Brings the index up to what the graph holds and has dropped. A vector is let go of by a later round than the one that
   * put it, once the index shows it; until then each round puts it again. May be repeated, broken off anywhere, and run by
   * several processes at once; in one process one round at a time.
   */
  round(signal?: AbortSignal): Promise<MovedVectors>;
}

/** A vector that was put, or may have been. */
interface Put extends DroppedVector {
  readonly revision: number;
}

export function createVectorMover({ graph, index, remake, limit }: VectorMoverPorts): VectorMover {
  /**
   * Puts behind which nobody has looked at their memory yet. Those of a round that failed stay for the next one: a put without
   * an answer may still arrive.
   */
  const unsettled = new Map<string, Put>();

  async function findShown(held: readonly HeldVector[], signal?: AbortSignal): Promise<Set<HeldVector>> {
    const shown = new Set<HeldVector>();
    for (const group of groupBy(held, ({ node, vector }) => [vector.spaceId, node.userId])) {
      const [{ node, vector }] = group;
      const revisions = Object.fromEntries(group.map((one) => [one.node.id, one.node.revision]));
      const visible = await index.visible(vector.spaceId, node.userId, revisions, signal);
      for (const one of group) if (visible.has(one.node.id)) shown.add(one);
    }
    return shown;
  }

  /** @returns what went wrong */
  async function put(
    held: readonly HeldVector[],
    signal?: AbortSignal,
  ): Promise<{ error: unknown } | undefined> {
    try {
      for (const group of groupBy(held, ({ vector }) => [vector.spaceId])) {
        for (const one of group) note(one);
        await index.upsert(group[0].vector.spaceId, group.map(toEntry), signal);
      }
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  function note({ node: { id, userId, revision }, vector: { spaceId } }: HeldVector): void {
    const key = JSON.stringify([spaceId, id]);
    // The oldest of several counts: any of them may be the last to arrive.
    if (!unsettled.has(key)) unsettled.set(key, { id, userId, spaceId, revision });
  }

  /** Of the unsettled ones those whose memory is gone, and those whose memory has changed. */
  async function findChanged(): Promise<{ readonly gone: Put[]; readonly overtaken: Put[] }> {
    const puts = [...unsettled.values()];
    if (puts.length === 0) return { gone: [], overtaken: [] };
    const nodes = await graph.getMany([...new Set(puts.map(({ id }) => id))]);
    return {
      gone: puts.filter(({ id }) => !nodes.has(id)),
      overtaken: puts.filter(({ id, revision }) => (nodes.get(id)?.revision ?? revision) > revision),
    };
  }

  return {
    async round(signal) {
      const held = await graph.listHeldVectors(limit);
      const shown = await findShown(held, signal);
      const released = shown.size === 0 ? 0 : await graph.releaseVectors([...shown].map(toShownVector));
      // Those let go of make room for others.
      const rest = shown.size === 0 ? held : await graph.listHeldVectors(limit);
      const failure = await put(rest, signal);
      // What came between the list and the put was not known to whoever changed the memory.
      const { gone, overtaken } = await findChanged();
      // Behind the puts, as one of these memories may have been deleted since it was listed.
      const dropped = await graph.listDroppedVectors(limit);
      await removeVectors(index, [...gone, ...dropped], signal);
      if (dropped.length > 0) await graph.forgetDroppedVectors(dropped);
      const remade = overtaken.length === 0 ? 0 : await remake(overtaken, signal);
      if (failure !== undefined) throw failure.error;
      unsettled.clear();
      const isFull = [rest, dropped].some(({ length }) => length === limit);
      return { released, put: rest.length, removed: dropped.length, remade, isFull };
    },
  };
}

async function removeVectors(
  index: VectorIndex,
  vectors: readonly DroppedVector[],
  signal?: AbortSignal,
): Promise<void> {
  for (const group of groupBy(vectors, ({ spaceId, userId }) => [spaceId, userId])) {
    const [{ spaceId, userId }] = group;
    await index.remove(spaceId, userId, [...new Set(group.map(({ id }) => id))], signal);
  }
}

function toEntry({ node, vector }: HeldVector): VectorEntry {
  const { id, userId, revision, timestamp, labels, weight } = node;
  return { id, userId, revision, timestamp, labels, weight, values: vector.values };
}

function toShownVector({ node, vector }: HeldVector): { id: string; spaceId: number; revision: number } {
  return { id: node.id, spaceId: vector.spaceId, revision: node.revision };
}

/** Groups, none of them empty, in the order of their first items. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => readonly (string | number)[]): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
