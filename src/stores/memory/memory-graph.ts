import type { InsertMemory, MemoryChange, MemoryKind, MemoryNode, RelatedMemory } from './node';
import type { ListQuery, MemoryScope, SearchHit, TextQuery, VectorQuery } from './search';
import type { VectorOutboxPort } from './vector-outbox';
import type { VectorSpacePort } from './vector-spaces';

export interface InsertOptions {
  /** Most memories of this kind that the user may have; absent: no bound. */
  readonly quota?: number;
}

export interface UpdateOptions {
  /** Update only this revision. */
  readonly ifRevision?: number;
}

export interface KindCount {
  readonly count: number;
  /** Epoch milliseconds; null where there is none. */
  readonly oldest: number | null;
  readonly newest: number | null;
}

export interface UserMemoryStats {
  readonly episodic: KindCount;
  readonly semantic: KindCount;
  /** Labels of the semantic memories, ascending by code unit, at most 1,000. */
  readonly categories: readonly string[];
}

export interface ReadNote {
  readonly id: string;
  /** How many reads. */
  readonly count: number;
  /** Of the last one, epoch milliseconds. */
  readonly at: number;
}

export interface ErasedCounts {
  readonly episodic: number;
  readonly semantic: number;
  readonly relations: number;
}

/**
 * Episodic and semantic memories with their order, relations, text and vectors. Every adapter passes
 * `test/contract/memory-graph.ts`.
 *
 * Every change is one transaction: all of it or nothing, and visible to the next read from any process, searches
 * included. All methods throw `STORE_UNAVAILABLE` (retryable) when the store cannot be reached or was closed, and
 * work again once it can. `insert`, `update` and `delete` throw `MEMORY_ERASING` while the user is being erased, and
 * `VECTOR_SPACE_CHANGED` (retryable) when they bring a vector of a space that is not the current one. A vector of the
 * wrong length is a mistake in the code: a RangeError.
 */
export interface MemoryGraph extends VectorSpacePort, VectorOutboxPort {
  /**
   * Puts a memory at its place in its session and ties its relations. A repeat with the same id changes nothing
   * and returns what is there.
   * @throws HoldfastError `VALIDATION` (details `{ field, message }`) where the placement or a relation names a
   * memory that the user does not have, that is of another session or the wrong kind, or itself, where two are no
   * neighbours, where there are two parents, or where parents would go in a circle. The field is that of the API:
   * `relationships.` with `previous` (for `after`), `next` (`before`), `related`, `similar`, `parent` (`out`) or
   * `children` (`in`); `id` where another user or kind has the id. `MEMORY_QUOTA` above the quota
   */
  insert(memory: InsertMemory, options?: InsertOptions): Promise<MemoryNode>;
  get(id: string): Promise<MemoryNode | undefined>;
  /** Those that exist, by id. */
  getMany(ids: readonly string[]): Promise<Map<string, MemoryNode>>;
  /**
   * @returns the memory as it is now; undefined where there is none or its revision is another one
   * @throws HoldfastError as `insert`
   */
  update(id: string, change: MemoryChange, options?: UpdateOptions): Promise<MemoryNode | undefined>;
  /** Closes the gap it leaves in its session and ends its relations. Returns what it was. */
  delete(id: string): Promise<MemoryNode | undefined>;

  /** `previous` and `next` first, then by relationship, then by id. */
  related(id: string): Promise<RelatedMemory[]>;
  /** `related` of several; those without any are left out. */
  relatedOfMany(ids: readonly string[]): Promise<Map<string, RelatedMemory[]>>;

  list(query: ListQuery): Promise<MemoryNode[]>;
  /** Best first, ids deciding between equals. */
  searchText(query: TextQuery): Promise<SearchHit[]>;
  /**
   * Nearest first, ids deciding between equals. Memories without a vector in the space are not found. May be
   * approximate where a user has thousands of memories.
   * @throws HoldfastError `VECTOR_SPACE_CHANGED` (retryable) for a space that is not the current one
   */
  searchVectors(query: VectorQuery): Promise<SearchHit[]>;
  count(scope: MemoryScope): Promise<number>;
  stats(userId: string): Promise<UserMemoryStats>;

  /** Adds to read counts; memories that are gone are passed over. Not waited for by any read. */
  noteReads(notes: readonly ReadNote[]): Promise<void>;

  /** From now on the user's changes are refused. May be called again. */
  beginErasure(userId: string): Promise<void>;
  /**
   * Takes away some of the user's memories, `limit` at most, with all that hangs on them; zeros when none is left.
   * Relations are counted with the first of their ends, neighbours are not.
   */
  eraseSome(userId: string, limit: number): Promise<ErasedCounts>;
  /** For when `eraseSome` told zeros. Changes are welcome again, and nothing in the store names the user any more. */
  endErasure(userId: string): Promise<void>;

  /** Users with memories of a kind, ascending by code unit; for work over all of them. */
  listUsers(kind: MemoryKind, options: { after?: string; limit: number }): Promise<string[]>;
  /** One round trip. */
  ping(): Promise<void>;
  /** May be called twice. Afterwards every other method throws. */
  close(): Promise<void>;
}
