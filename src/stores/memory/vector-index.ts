import type { SearchHit, VectorQuery } from './search';

/** What a memory's vector in the store of vectors has beside it, for filters. */
export interface VectorEntry {
  readonly id: string;
  readonly userId: string;
  /** Of the memory that the vector was made from. */
  readonly revision: number;
  readonly timestamp: number;
  readonly labels: readonly string[];
  readonly weight: number;
  readonly values: Float32Array;
}

/**
 * Where the vectors of semantic memories are searched. The text, the owner and, until this store shows it, the
 * vector of each memory are in the graph, which is what makes an acknowledged memory found at once.
 * Every adapter passes `test/contract/vector-index.ts`. Methods throw `STORE_UNAVAILABLE` (retryable) with details
 * `{ service: 'vectordb', reason }` when the store cannot be reached within its time limit.
 */
export interface VectorIndex {
  /** Puts or replaces; a repeat changes nothing. Visible some time later. */
  upsert(spaceId: number, entries: readonly VectorEntry[], signal?: AbortSignal): Promise<void>;
  /** Ids that are not there are passed over. */
  remove(spaceId: number, userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void>;
  /** All of a user's vectors. */
  removeUser(spaceId: number, userId: string, signal?: AbortSignal): Promise<void>;
  /** Of these ids, those whose vector a search may find by now, of the revision given here or a later one. */
  visible(
    spaceId: number,
    userId: string,
    revisions: Readonly<Record<string, number>>,
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>>;
  /** Nearest first. May still show what was removed a moment ago, and not yet what was just put. */
  search(query: VectorQuery, signal?: AbortSignal): Promise<SearchHit[]>;
  ping(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
