import type { MemoryNode, SpaceVector } from './node';

export interface HeldVector {
  readonly node: MemoryNode;
  readonly vector: SpaceVector;
}

export interface ShownVector {
  readonly id: string;
  readonly spaceId: number;
  /** Of the memory when its vector was listed. */
  readonly revision: number;
}

export interface DroppedVector {
  readonly id: string;
  readonly userId: string;
  readonly spaceId: number;
}

/**
 * What an index of vectors outside of the graph has not been told, or does not show yet. Only a graph that was made
 * with `vectorsElsewhere` notes dropped vectors; without it, held vectors stay where they are for good. In such a graph any
 * change of a semantic memory ends its vector of the next space, as the index has the memory's former fields beside it: the
 * space is filled with it again before it takes over.
 */
export interface VectorOutboxPort {
  /** Semantic memories whose vector of any space is held here, the longest held first. */
  listHeldVectors(limit: number): Promise<HeldVector[]>;
  /**
   * Lets go of vectors that the index shows, where the memory is still at this revision, which does not rise. The
   * memory counts as one that has its vector. Returns how many vectors were let go.
   */
  releaseVectors(shown: readonly ShownVector[]): Promise<number>;
  /**
   * Vectors, held or released, to be taken out of the index, as their memory was deleted; the longest waiting first.
   * None of memories that an erasure took: it takes all of the user's vectors out of the index itself.
   */
  listDroppedVectors(limit: number): Promise<DroppedVector[]>;
  forgetDroppedVectors(dropped: readonly DroppedVector[]): Promise<void>;
}
