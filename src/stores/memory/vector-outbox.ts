import type { MemoryNode, SpaceVector } from './node';

/** A vector that the graph keeps until the index shows it. */
export interface PendingVector {
  readonly node: MemoryNode;
  readonly vector: SpaceVector;
}

/** A pending vector that searches of the index find by now. */
export interface VisibleVector {
  readonly id: string;
  readonly spaceId: number;
  /** The revision of the memory when its vector was listed. */
  readonly revision: number;
}

/** A vector that is still to be removed from the index, because its memory was deleted. */
export interface VectorTombstone {
  readonly id: string;
  readonly userId: string;
  readonly spaceId: number;
}

/**
 * The changes that an index of vectors outside of the graph has not received, or does not show yet. Only a graph that was made
 * with `vectorsElsewhere` keeps tombstones; without it, pending vectors stay in the graph. With it, any change of a semantic
 * memory removes its vector from the next space, because the index has the memory's earlier fields with the vector; the
 * reindexing run embeds the memory again before that space becomes the current one.
 */
export interface VectorOutboxPort {
  /** Lists semantic memories with a pending vector in any space, those that wait longest first. */
  listPendingVectors(limit: number): Promise<PendingVector[]>;
  /**
   * Removes pending vectors that the index shows from the graph, if the memory still has this revision, which does not rise.
   * The memory still counts as one that has its vector.
   * @returns the number of vectors that were released
   */
  releaseVectors(visible: readonly VisibleVector[]): Promise<number>;
  /**
   * Lists tombstones, those that wait longest first. The memories that an erasure deletes leave none, because the erasure
   * itself removes all of the user's vectors from the index.
   */
  listTombstones(limit: number): Promise<VectorTombstone[]>;
  deleteTombstones(tombstones: readonly VectorTombstone[]): Promise<void>;
}
