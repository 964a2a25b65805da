import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { VectorEntry, VectorIndex } from '../stores/memory/vector-index';
import type { DroppedVector, HeldVector } from '../stores/memory/vector-outbox';

export interface MoveHeldVectors {
  readonly graph: Pick<
    MemoryGraph,
    'getMany' | 'listHeldVectors' | 'releaseVectors' | 'listDroppedVectors' | 'forgetDroppedVectors'
  >;
  readonly index: VectorIndex;
  /** Most held vectors, and most dropped ones, that one run looks at. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

export interface MovedVectors {
  /** Vectors that the graph let go of, as the index shows them. */
  readonly released: number;
  /** Vectors put into the index, to be shown some time later. */
  readonly put: number;
  /** Vectors taken out of the index. */
  readonly removed: number;
  /**
   * Memories that changed while their vector was put. Where another process had put and released the new one by then,
   * ours has taken its place in the index: make the vector again and give it to `putVectors`.
   */
  readonly overtaken: readonly string[];
}

/**
 * Brings the index up to what the graph holds and has dropped. A vector is let go of by a later run than the one that
 * put it, once the index shows it; until then each run puts it again. May be repeated, broken off anywhere, and run
 * by several processes at once.
 */
export async function moveHeldVectors(options: MoveHeldVectors): Promise<MovedVectors> {
  const { graph, limit } = options;
  const held = await graph.listHeldVectors(limit);
  const shown = await findShown(options, held);
  const released = shown.size === 0 ? 0 : await graph.releaseVectors([...shown].map(toShownVector));
  const put = held.filter((vector) => !shown.has(vector));
  const { overtaken, gone } = await putVectors(options, put);
  // Behind the puts, as one of these memories may have been deleted since it was listed.
  const dropped = await graph.listDroppedVectors(limit);
  await removeVectors(options, [...gone, ...dropped]);
  if (dropped.length > 0) await graph.forgetDroppedVectors(dropped);
  return { released, put: put.length, removed: dropped.length, overtaken };
}

async function findShown(
  { index, signal }: MoveHeldVectors,
  held: readonly HeldVector[],
): Promise<Set<HeldVector>> {
  const shown = new Set<HeldVector>();
  for (const group of groupBy(held, ({ node, vector }) => [vector.spaceId, node.userId])) {
    const [{ node, vector }] = group;
    const revisions = Object.fromEntries(group.map((one) => [one.node.id, one.node.revision]));
    const visible = await index.visible(vector.spaceId, node.userId, revisions, signal);
    for (const one of group) if (visible.has(one.node.id)) shown.add(one);
  }
  return shown;
}

/** Looks at the memories once more behind the put: what came in between was not known to whoever changed them. */
async function putVectors(
  { graph, index, signal }: MoveHeldVectors,
  held: readonly HeldVector[],
): Promise<{ overtaken: string[]; gone: DroppedVector[] }> {
  for (const group of groupBy(held, ({ vector }) => [vector.spaceId])) {
    await index.upsert(group[0].vector.spaceId, group.map(toEntry), signal);
  }
  const nodes =
    held.length === 0 ? new Map<string, never>() : await graph.getMany(held.map(({ node }) => node.id));
  const gone = held.filter(({ node }) => !nodes.has(node.id));
  const overtaken = held.filter(
    ({ node }) => (nodes.get(node.id)?.revision ?? node.revision) > node.revision,
  );
  return {
    overtaken: overtaken.map(({ node }) => node.id),
    gone: gone.map(({ node: { id, userId }, vector: { spaceId } }) => ({ id, userId, spaceId })),
  };
}

async function removeVectors(
  { index, signal }: MoveHeldVectors,
  vectors: readonly DroppedVector[],
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
