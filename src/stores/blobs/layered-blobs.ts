import type { BlobInfo, BlobStore, BlobStoreKind } from './blob-store';

/**
 * A store together with the one that was used before it, so that a deployment can move to another store while runs continue.
 * New blobs are written to the current store; a blob that it does not have is read from the previous one. `list` may return a
 * key twice.
 */
export class LayeredBlobs implements BlobStore {
  readonly kind: BlobStoreKind;
  readonly #current: BlobStore;
  readonly #previous: BlobStore;

  constructor(current: BlobStore, previous: BlobStore) {
    this.kind = current.kind;
    this.#current = current;
    this.#previous = previous;
  }

  ping(): Promise<void> {
    return this.#current.ping();
  }

  put(key: string, data: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.#current.put(key, data, signal);
  }

  putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#current.putStream(key, chunks);
  }

  async get(key: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    return (await this.#current.get(key, signal)) ?? this.#previous.get(key, signal);
  }

  async getRange(key: string, offset: number, length: number): Promise<Buffer | undefined> {
    return (
      (await this.#current.getRange(key, offset, length)) ?? this.#previous.getRange(key, offset, length)
    );
  }

  /** Moves a blob in the current store only, because callers move blobs that they have just written. */
  move(from: string, to: string): Promise<void> {
    return this.#current.move(from, to);
  }

  async *list(folder: string): AsyncGenerator<BlobInfo> {
    yield* this.#current.list(folder);
    yield* this.#previous.list(folder);
  }

  async remove(key: string): Promise<void> {
    await Promise.all([this.#current.remove(key), this.#previous.remove(key)]);
  }

  async removeFolder(folder: string): Promise<void> {
    await Promise.all([this.#current.removeFolder(folder), this.#previous.removeFolder(folder)]);
  }

  async removeDrafts(folder: string, before: number): Promise<number> {
    const [now, earlier] = await Promise.all([
      this.#current.removeDrafts(folder, before),
      this.#previous.removeDrafts(folder, before),
    ]);
    return now + earlier;
  }

  async close(): Promise<void> {
    await this.#current.close();
    await this.#previous.close();
  }
}
