import type { MemoryNode, SpaceVector } from './node';

/** The vectors of one embedding model. Only vectors of the same space can be compared. */
export interface VectorSpace {
  /** Rises with every space that is opened. An id is never used again. */
  readonly id: number;
  /** The name of provider and model that the embedder reports. */
  readonly model: string;
  readonly dimensions: number;
}

export interface VectorSpaces {
  /** The space that is searched; null in a store that never had a vector. */
  readonly current: VectorSpace | null;
  /** The space that is being filled and later replaces `current`. */
  readonly next: VectorSpace | null;
}

export interface VectorUpdate {
  readonly id: string;
  /** The revision whose text the vector was made from. */
  readonly revision: number;
  readonly vector: SpaceVector;
}

/**
 * Moves a store from one embedding model to another while it is read and written. Reads and writes use the current space; the
 * next one is filled meanwhile and becomes the current one when every memory has a vector in it.
 */
export interface VectorSpacePort {
  vectorSpaces(): Promise<VectorSpaces>;
  /** Opens the first space of a store that has none; of several callers, one opens it. Returns the current space. */
  pinVectorSpace(model: string, dimensions: number): Promise<VectorSpace>;
  /**
   * Opens the next space, or returns the open one if it has this model and these dimensions. Drops an open one with another
   * model or other dimensions.
   */
  openNextVectorSpace(model: string, dimensions: number): Promise<VectorSpace>;
  /**
   * Lists memories of any user and kind that have no vector of their text in this space and come after the id `after`, in the
   * order of ids.
   * @throws HoldfastError `VECTOR_SPACE_CHANGED` for a space that is neither the current one nor the next
   */
  listWithoutVector(spaceId: number, options: { after?: string; limit: number }): Promise<MemoryNode[]>;
  /**
   * Stores vectors, except those of memories that do not exist or have another revision.
   * @returns the number of vectors that were stored
   * @throws HoldfastError `VECTOR_SPACE_CHANGED` as `listWithoutVector`
   */
  putVectors(updates: readonly VectorUpdate[]): Promise<number>;
  /**
   * Makes the next space the current one and drops the previous one, in one step, if every memory has a vector in it.
   * @returns whether this space is the current one now; also true if it already was, as after a repeat
   */
  switchVectorSpace(spaceId: number): Promise<boolean>;
}
