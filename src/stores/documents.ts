/** Longest key, in UTF-16 code units. */
export const MAX_KEY_LENGTH = 512;
/** Most documents one `list` returns, and what it returns when no limit is given. */
export const MAX_LIST_LIMIT = 1_000;

/**
 * A JSON document under a key. Versions count from 1 and rise by one a write. A document that was deleted and
 * put again starts at 1 once more, so a version tells states apart only as long as nobody deletes: guard what
 * may be deleted by the version of a second document that never is.
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
  /** What `JSON.stringify` makes of it is kept; a value it makes nothing of (`undefined`, a function) throws. */
  readonly value: unknown;
  /** Write only if the document is at this version; 0 means: only if there is none. Absent: always. */
  readonly ifVersion?: number;
  /**
   * Epoch milliseconds from which on `removeExpired` may take the document away; until it does, the document
   * is there as any other. Absent: never, also when an earlier put gave it a time.
   */
  readonly expiresAt?: number;
}

export interface DeleteDocument {
  readonly type: 'delete';
  readonly collection: string;
  readonly key: string;
  /** Delete only if the document is at this version; 0 means: only if there is none. Absent: always. */
  readonly ifVersion?: number;
}

export type DocumentWrite = PutDocument | DeleteDocument;

export interface ListOptions {
  /** Only keys after this one. */
  readonly after?: string;
  /** At most this many; default and cap `MAX_LIST_LIMIT`. */
  readonly limit?: number;
}

/**
 * What an acknowledged write survives. `full`: a power cut. `process`: the death of the process, while a power
 * cut may take the last of such writes, though never a part of one, nor an earlier one without the later ones.
 * An adapter may always give more than it is asked for.
 */
export type Durability = 'full' | 'process';

export interface WriteOptions {
  /** Default `full`. */
  readonly durability?: Durability;
}

/**
 * Small shared state as keyed JSON documents with compare-and-set: the tool registry, definitions, service
 * state and statistics are built on this one port. Every adapter passes `test/contract/documents.ts`.
 * All methods throw `STORE_UNAVAILABLE` (retryable) when the store cannot be reached or was closed, and work
 * again once it can. Keys are well-formed Unicode of 1 to `MAX_KEY_LENGTH` code units; others throw `VALIDATION`.
 */
export interface DocumentStore {
  /**
   * One document as it was written last. It waits for no writer, and says nothing about the other documents of the same
   * batch: a reader that needs those too uses `getMany`, or guards its write by versions.
   */
  get<T>(collection: string, key: string): Promise<StoredDocument<T> | undefined>;
  /** Several documents in one round trip, each as `get` reads it. */
  getEach<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>>;
  /**
   * Several documents as they stood at one moment. A batch that wrote one of them has been written whole, so that whatever
   * is read afterwards is as new. May wait for writers of these documents and hold them up, so it is for what has to fit
   * together, also with one key.
   */
  getMany<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>>;
  /** In ascending order of key, by UTF-16 code unit, as JavaScript's `<` has it. */
  list<T>(collection: string, options?: ListOptions): Promise<StoredDocument<T>[]>;
  /**
   * All of the writes or none. False, and nothing written, when one of the versions did not match. Versions are
   * compared with what stood before the batch, so a batch names a document once at most; a second time throws.
   */
  write(writes: readonly DocumentWrite[], options?: WriteOptions): Promise<boolean>;
  /**
   * Takes away at most `limit` documents of any collection that expired at `now` (epoch milliseconds) or
   * before, the longest expired first; returns how many.
   */
  removeExpired(now: number, limit: number): Promise<number>;
  /** One round trip. */
  ping(): Promise<void>;
  /** May be called twice. Afterwards every other method throws. */
  close(): Promise<void>;
}
