/** The maximum length of a key, in UTF-16 code units. */
export const MAX_KEY_LENGTH = 512;
/** The maximum number of documents that one `list` returns, and its default limit. */
export const MAX_LIST_LIMIT = 1_000;

/**
 * A JSON document under a key. Its version begins at 1 and rises by one with each write. A document that was deleted and stored
 * again begins at 1 again, so a version identifies a state only as long as the document is not deleted. A caller that may delete
 * a document guards it by the version of a second document that is never deleted.
 */
export interface StoredDocument<T = unknown> {
  readonly key: string;
  readonly value: T;
  readonly version: number;
}

export interface PutDocument {
  readonly type: 'put';
  readonly collection: string;
  readonly key: string;
  /** The store keeps the result of `JSON.stringify`; a value without one (`undefined`, a function) throws. */
  readonly value: unknown;
  /** Write only if the document has this version, or, for 0, if it does not exist. Absent: always. */
  readonly ifVersion?: number;
  /**
   * The time from which `removeExpired` may remove the document, epoch milliseconds; until then it can be read like any other.
   * Absent: never, even if an earlier put set a time.
   */
  readonly expiresAt?: number;
}

export interface DeleteDocument {
  readonly type: 'delete';
  readonly collection: string;
  readonly key: string;
  /** Delete only if the document has this version, or, for 0, if it does not exist. Absent: always. */
  readonly ifVersion?: number;
}

export type DocumentWrite = PutDocument | DeleteDocument;

export interface ListOptions {
  /** List only keys after this one. */
  readonly after?: string;
  /** The maximum number of documents. Default and upper bound: `MAX_LIST_LIMIT`. */
  readonly limit?: number;
}

/**
 * What an acknowledged write survives. `full`: a power cut. `process`: the death of the process. A power cut may then undo the
 * last writes, but never a part of one, nor an earlier one without the later ones. An adapter may always give more than the
 * caller asked for.
 */
export type Durability = 'full' | 'process';

export interface WriteOptions {
  /** Default `full`. */
  readonly durability?: Durability;
}

/**
 * Small shared state as keyed JSON documents with compare-and-set. The tool registry, definitions, the state of the service and
 * statistics use this port. Every adapter passes `test/contract/documents.ts`.
 * All methods throw `STORE_UNAVAILABLE` (retryable) when the store cannot be reached or was closed, and work again once it can be
 * reached. Keys are well-formed Unicode of 1 to `MAX_KEY_LENGTH` code units; others throw `VALIDATION`.
 */
export interface DocumentStore {
  /**
   * Reads the last written state of one document. It waits for no writer, and the other documents of the same batch may not be
   * visible yet: a reader that needs those too uses `getMany`, or guards its write by versions.
   */
  get<T>(collection: string, key: string): Promise<StoredDocument<T> | undefined>;
  /** Reads several documents in one round trip, each as `get` does. */
  getEach<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>>;
  /**
   * Reads several documents as they were at one moment. Every batch that wrote one of them is complete, so later reads return
   * the same or newer states. It may wait for writers of these documents and make them wait, so callers use it only for
   * documents that must be consistent, which may also be a single one.
   */
  getMany<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>>;
  /** Lists documents in ascending order of keys, by UTF-16 code unit, which is the order of JavaScript's `<`. */
  list<T>(collection: string, options?: ListOptions): Promise<StoredDocument<T>[]>;
  /**
   * Makes all of the writes or none. Returns false, and writes nothing, if one of the versions does not match. Versions are
   * compared with the state before the batch, so a batch may name a document only once; otherwise it throws.
   */
  write(writes: readonly DocumentWrite[], options?: WriteOptions): Promise<boolean>;
  /**
   * Removes at most `limit` documents of any collection that expired at `now` (epoch milliseconds) or before, those that expired
   * first before others.
   * @returns the number of documents that were removed
   */
  removeExpired(now: number, limit: number): Promise<number>;
  /** Makes one round trip to the store. */
  ping(): Promise<void>;
  /** May be called twice. Afterwards every other method throws. */
  close(): Promise<void>;
}

/** The documents that a tenant reads and writes, in a store that others share; so it does not close the store. */
export type TenantDocuments = Omit<DocumentStore, 'close'>;
