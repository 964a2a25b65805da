import type { MemoryNode, SpaceVector } from './node';

export interface HeldVector {
  readonly node: MemoryNode;
  readonly vector: SpaceVector;
}

export interface DroppedVector {
  readonly id: string;
  readonly userId: string;
  readonly spaceId: number;
}

/**
 * What an index of vectors outside of the graph has not been told, or does not show yet. Only a graph that was made
 * with `vectorsElsewhere` notes dropped vectors; without it, held vectors stay where they are for good.
 */
export interface VectorOutboxPort {
  /** Semantic memories whose vector is held here, the longest held first. */
  listHeldVectors(limit: number): Promise<HeldVector[]>;
  /** Lets go of the vectors of memories that are still at this revision, which does not rise. Returns how many. */
  releaseVectors(shown: readonly { readonly id: string; readonly revision: number }[]): Promise<number>;
  /** Vectors to be taken out of the index, as their memory was deleted; the longest waiting first. */
  listDroppedVectors(limit: number): Promise<DroppedVector[]>;
  forgetDroppedVectors(dropped: readonly DroppedVector[]): Promise<void>;
}
