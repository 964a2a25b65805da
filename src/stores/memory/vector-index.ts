import type { SearchHit, VectorQuery } from './search';

/** A memory's vector in the index of vectors, with the fields that filters use. */
export interface VectorEntry {
  readonly id: string;
  readonly userId: string;
  /** The revision of the memory that the vector was made from. */
  readonly revision: number;
  readonly timestamp: number;
  readonly labels: readonly string[];
  readonly weight: number;
  readonly values: Float32Array;
}

/**
 * An index outside of the graph that searches the vectors of semantic memories. The graph has the text and the owner of each
 * memory, and its vector until this index shows it, so that searches find an acknowledged memory at once.
 * Every adapter passes `test/contract/vector-index.ts`. Methods throw `STORE_UNAVAILABLE` (retryable) with details
 * `{ service: 'vectordb', reason }` when the index cannot be reached within its time limit.
 */
export interface VectorIndex {
  /** Adds or replaces vectors; a repeat changes nothing. Searches find them some time later. */
  upsert(spaceId: number, entries: readonly VectorEntry[], signal?: AbortSignal): Promise<void>;
  /** Removes vectors. Ignores ids that the index does not have. */
  remove(spaceId: number, userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Removes all vectors of a user. */
  removeUser(spaceId: number, userId: string, signal?: AbortSignal): Promise<void>;
  /** Returns those of the ids whose vector a search may find by now, of the given revision or a later one. */
  visible(
    spaceId: number,
    userId: string,
    revisions: Readonly<Record<string, number>>,
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>>;
  /** Returns the nearest hits first. They may include vectors that were just removed, and lack some that were just added. */
  search(query: VectorQuery, signal?: AbortSignal): Promise<SearchHit[]>;
  ping(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
