export interface BlobInfo {
  readonly key: string;
  readonly bytes: number;
  /** When it was written, by the clock of the store, epoch milliseconds. */
  readonly modifiedAt: number;
}

/** Where new blobs are kept. */
export type BlobStoreKind = 'folder' | 's3';

/**
 * Large bytes under keys, for all processes that share the store: values of runs and rows of imports. A key is made of names
 * with `/` between them, and a folder is what keys begin with, to such a slash. A reader finds a blob whole, as it was or as
 * it is now, or not at all. What was written is found at once, by everybody.
 *
 * Every operation is bounded in time and throws HoldfastError `STORE_UNAVAILABLE` (retryable), details
 * `{ service: 'payloads', reason }`, where the store cannot do it now, and `INTERNAL` for a key that is none.
 */
export interface BlobStore {
  readonly kind: BlobStoreKind;
  /** Whether the store can be used. @throws HoldfastError `CONFIGURATION` where it refuses a setting */
  ping(): Promise<void>;
  /** Keeps bytes; what was under the key is replaced. Counts as written now also where the bytes are the same. */
  put(key: string, data: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Keeps what comes, without holding all of it in memory. Nothing is kept where `chunks` throws, and that is thrown. */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  get(key: string, signal?: AbortSignal): Promise<Buffer | undefined>;
  /** So many bytes from a place on; fewer where the blob ends, none behind its end. Undefined where there is no blob. */
  getRange(key: string, offset: number, length: number): Promise<Buffer | undefined>;
  /** Gives a blob another key. Where it is broken off the blob may be under both. */
  move(from: string, to: string): Promise<void>;
  /** All blobs of a folder, in no order but that those of a folder within it come one after another. */
  list(folder: string): AsyncIterable<BlobInfo>;
  /** No error where there is none. */
  remove(key: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /**
   * Takes away what writers that died have left of blobs in a folder, where they began before `before`, epoch milliseconds.
   * @returns how many
   */
  removeDrafts(folder: string, before: number): Promise<number>;
  close(): Promise<void>;
}
