export interface BlobInfo {
  readonly key: string;
  readonly bytes: number;
  /** The time of the write by the store's clock, epoch milliseconds. */
  readonly modifiedAt: number;
}

/** The kind of store that keeps new blobs. */
export type BlobStoreKind = 'folder' | 's3';

/**
 * Large binary values under keys, for all processes that share the store: values of runs and rows of imports. A key consists of
 * names with `/` between them, and a folder is the part of a key before such a slash. A reader gets a blob completely, as it was
 * before or after a write, or not at all. Every process can read a blob as soon as it was written.
 *
 * Every operation has a time limit. It throws HoldfastError `STORE_UNAVAILABLE` (retryable), details
 * `{ service: 'payloads', reason }`, if the store cannot do it now, and `INTERNAL` for a malformed key.
 */
export interface BlobStore {
  readonly kind: BlobStoreKind;
  /** Checks that the store can be used. @throws HoldfastError also `CONFIGURATION` if the store refuses a setting */
  ping(): Promise<void>;
  /** Stores bytes and replaces the key's earlier ones. The time of the write changes even if the bytes are the same. */
  put(key: string, data: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Stores a stream without keeping all of it in memory. If `chunks` throws, it stores nothing and throws that error. */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  get(key: string, signal?: AbortSignal): Promise<Buffer | undefined>;
  /**
   * Reads up to `length` bytes from `offset` on: fewer at the end of the blob, and none past it. Undefined if the blob does
   * not exist.
   */
  getRange(key: string, offset: number, length: number): Promise<Buffer | undefined>;
  /** Changes the key of a blob. If this is interrupted, the blob may be under both keys. */
  move(from: string, to: string): Promise<void>;
  /**
   * Lists all blobs of a folder in any order, except that the blobs of each subfolder are listed together. What has a name that no
   * key can have is left out, since it is not of the store.
   */
  list(folder: string): AsyncIterable<BlobInfo>;
  /** Removes a blob. It succeeds if the blob does not exist. */
  remove(key: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /**
   * Removes incomplete blobs in a folder, which writers left that died, if the write began before `before` (epoch milliseconds).
   * @returns the number of incomplete blobs that were removed
   */
  removeDrafts(folder: string, before: number): Promise<number>;
  close(): Promise<void>;
}
