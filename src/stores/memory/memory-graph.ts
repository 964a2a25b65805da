import type { InsertMemory, MemoryChange, MemoryKind, MemoryNode, RelatedMemory } from './node';
import type { ListQuery, MemoryScope, SearchHit, TextQuery, VectorQuery } from './search';
import type { VectorOutboxPort } from './vector-outbox';
import type { VectorSpacePort } from './vector-spaces';
import type { WordIndexPort } from './word-index';

export interface InsertOptions {
  /** The maximum number of memories of this kind that the user may have. Default: no limit. */
  readonly quota?: number;
}

export interface ChangeOptions {
  /** Change or delete the memory only if it has this revision. */
  readonly ifRevision?: number;
}

export interface KindCount {
  readonly count: number;
  /** Epoch milliseconds; null if the user has no memories of the kind. */
  readonly oldest: number | null;
  readonly newest: number | null;
}

export interface UserMemoryStats {
  readonly episodic: KindCount;
  readonly semantic: KindCount;
  /** The first 1,000 labels of the semantic memories, in ascending order of code units. */
  readonly categories: readonly string[];
}

/** A session of a user, with the times of its first and last event. */
export interface SessionSummary {
  readonly sessionId: string;
  /** The number of its memories, from 1. */
  readonly memories: number;
  /** Epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** A page of names, in ascending order of code units. */
export interface NamePage {
  /** The name after which the page begins; absent: from the beginning. */
  readonly after?: string;
  readonly limit: number;
}

/** The ids of the memories directly before and after a memory in its session. */
export interface Neighbours {
  readonly previous?: string;
  readonly next?: string;
}

export interface ReadNote {
  readonly id: string;
  /** The number of reads. */
  readonly count: number;
  /** The time of the last read, epoch milliseconds. */
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
 * Every change is one transaction: all of it is stored or nothing, and the next read from any process sees it, also a search.
 * All methods throw `STORE_UNAVAILABLE` (retryable) when the store cannot be reached or was closed, and work again once it can
 * be reached. `insert`, `update` and `delete` throw `MEMORY_ERASING` while the user is being erased, and `VECTOR_SPACE_CHANGED`
 * (retryable) if their vector is of a space that is not the current one. A vector of the wrong length is a mistake in the
 * code and throws a RangeError.
 */
export interface MemoryGraph extends UserMemories, VectorSpacePort, VectorOutboxPort, WordIndexPort {
  /** Lists users who have memories of a kind, in ascending order of code units, for work over all users. */
  listUsers(kind: MemoryKind, page: NamePage): Promise<string[]>;
  /** Makes one round trip to the store. */
  ping(): Promise<void>;
  /** May be called twice. Afterwards every other method throws. */
  close(): Promise<void>;
}

/** What a graph does with the memories of single users. */
export interface UserMemories {
  /**
   * Stores a memory, with its place in its session and its relations. A repeat with the same id changes nothing and returns the
   * stored memory.
   * @throws HoldfastError `VALIDATION` (details `{ field, message }`) if the placement or a relation names the memory itself
   * or one that the user does not have, that belongs to another session or has the wrong kind, if `after` and `before` are
   * not neighbours, if there are two parents, or if the parents would form a circle. The field is that of the API:
   * `relationships.` with `previous` (for `after`), `next` (`before`), `related`, `similar`, `parent` (`out`) or
   * `children` (`in`); `id` if a memory of another user or kind has the id. `MEMORY_QUOTA` above the quota
   */
  insert(memory: InsertMemory, options?: InsertOptions): Promise<MemoryNode>;
  get(id: string): Promise<MemoryNode | undefined>;
  /** Returns the memories that exist, by id. */
  getMany(ids: readonly string[]): Promise<Map<string, MemoryNode>>;
  /**
   * @returns the memory after the change; undefined if it does not exist or has another revision
   * @throws HoldfastError as `insert`
   */
  update(id: string, change: MemoryChange, options?: ChangeOptions): Promise<MemoryNode | undefined>;
  /**
   * Deletes a memory with its relations, and closes the gap in its session.
   * @returns the deleted memory; undefined if it does not exist or has another revision
   */
  delete(id: string, options?: ChangeOptions): Promise<MemoryNode | undefined>;

  /** Lists the related memories: `previous` and `next` first, then by relationship, then by id. */
  related(id: string): Promise<RelatedMemory[]>;
  /** Does `related` for several memories. The result has no entry for a memory without related ones. */
  relatedOfMany(ids: readonly string[]): Promise<Map<string, RelatedMemory[]>>;
  /**
   * Returns the neighbours of memories in their sessions; no entry for a memory that has none. Takes no lock, because searches
   * ask for many memories at once: while a session changes, two entries may be of different moments.
   */
  neighbours(ids: readonly string[]): Promise<Map<string, Neighbours>>;

  list(query: ListQuery): Promise<MemoryNode[]>;
  /** Returns the best hits first; those with the same score are in the order of ids. */
  searchText(query: TextQuery): Promise<SearchHit[]>;
  /**
   * Returns the nearest hits first; those with the same score are in the order of ids. Memories without a vector in the space
   * are not found. The result may be approximate if a user has thousands of memories.
   * @throws HoldfastError `VECTOR_SPACE_CHANGED` (retryable) for a space that is not the current one
   */
  searchVectors(query: VectorQuery): Promise<SearchHit[]>;
  count(scope: MemoryScope): Promise<number>;
  stats(userId: string): Promise<UserMemoryStats>;
  /** Lists the sessions in which a user has memories, in ascending order of code units of their names. */
  listSessions(userId: string, page: NamePage): Promise<SessionSummary[]>;

  /** Adds to the read counts of memories that exist. No read waits for it. */
  noteReads(notes: readonly ReadNote[]): Promise<void>;

  /** From now on the store refuses changes of this user. May be called again. */
  beginErasure(userId: string): Promise<void>;
  /**
   * Deletes up to `limit` memories of the user, with their relations and vectors. Returns zeros when no memory is left.
   * A relation is counted with the first of its two memories that is deleted; neighbours in a session are not counted.
   */
  eraseSome(userId: string, limit: number): Promise<ErasedCounts>;
  /**
   * Ends the erasure; the caller calls this after `eraseSome` returned zeros. The store accepts changes of the user again, and
   * has nothing that names the user any more.
   */
  endErasure(userId: string): Promise<void>;
}
