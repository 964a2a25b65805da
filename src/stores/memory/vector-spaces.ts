import type { MemoryNode, SpaceVector } from './node';

/** The vectors of one embedding model: only those can be compared with each other. */
export interface VectorSpace {
  /** Rises with every space that is opened; never used again. */
  readonly id: number;
  /** Names model and provider, as the embedder tells it. */
  readonly model: string;
  readonly dimensions: number;
}

export interface VectorSpaces {
  /** What is searched; null in a store that never had a vector. */
  readonly current: VectorSpace | null;
  /** What is being filled, to take the place of `current`. */
  readonly next: VectorSpace | null;
}

export interface VectorUpdate {
  readonly id: string;
  /** The revision whose text the vector was made from. */
  readonly revision: number;
  readonly vector: SpaceVector;
}

/**
 * Moving a store from one embedding model to another while it is read and written. Reads and writes keep to the
 * current space; the next one is filled beside it and takes over when no memory lacks a vector in it.
 */
export interface VectorSpacePort {
  vectorSpaces(): Promise<VectorSpaces>;
  /** Makes the first space of a store that has none; of several callers one does. Returns the current one. */
  pinVectorSpace(model: string, dimensions: number): Promise<VectorSpace>;
  /** Opens the next space, or returns the open one where it has this model and these dimensions; another one is dropped. */
  openNextVectorSpace(model: string, dimensions: number): Promise<VectorSpace>;
  /**
   * Memories of any user and kind that have no vector of their text in this space, by id, behind `after`.
   * @throws HoldfastError `VECTOR_SPACE_CHANGED` for a space that is neither the current one nor the next
   */
  listWithoutVector(spaceId: number, options: { after?: string; limit: number }): Promise<MemoryNode[]>;
  /**
   * Leaves out memories that are gone or have another revision. Returns how many vectors were put.
   * @throws HoldfastError `VECTOR_SPACE_CHANGED` as `listWithoutVector`
   */
  putVectors(updates: readonly VectorUpdate[]): Promise<number>;
  /**
   * Makes the next space the current one and drops the former, in one step, unless a memory lacks a vector in it.
   * @returns whether this space is the current one now; also true where it already was (a repeat)
   */
  switchVectorSpace(spaceId: number): Promise<boolean>;
}
