import type { BlobInfo, BlobStore, BlobStoreKind } from './blob-store';

/**
 * A store together with the one that was used before it: what is new goes to the first, and what is not there is looked for
 * in the other, so that a deployment may move while runs go on. A key may be told twice by `list`.
 */
export class LayeredBlobs implements BlobStore {
  readonly kind: BlobStoreKind;
  readonly #now: BlobStore;
  readonly #before: BlobStore;

  constructor(now: BlobStore, before: BlobStore) {
    this.kind = now.kind;
    this.#now = now;
    this.#before = before;
  }

  ping(): Promise<void> {
    return this.#now.ping();
  }

  put(key: string, data: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.#now.put(key, data, signal);
  }

  putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#now.putStream(key, chunks);
  }

  async get(key: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    return (await this.#now.get(key, signal)) ?? this.#before.get(key, signal);
  }

  async getRange(key: string, offset: number, length: number): Promise<Buffer | undefined> {
    return (await this.#now.getRange(key, offset, length)) ?? this.#before.getRange(key, offset, length);
  }

  /** What is moved was written a moment before. */
  move(from: string, to: string): Promise<void> {
    return this.#now.move(from, to);
  }

  async *list(folder: string): AsyncGenerator<BlobInfo> {
    yield* this.#now.list(folder);
    yield* this.#before.list(folder);
  }

  async remove(key: string): Promise<void> {
    await Promise.all([this.#now.remove(key), this.#before.remove(key)]);
  }

  async removeFolder(folder: string): Promise<void> {
    await Promise.all([this.#now.removeFolder(folder), this.#before.removeFolder(folder)]);
  }

  async removeDrafts(folder: string, before: number): Promise<number> {
    const [now, earlier] = await Promise.all([
      this.#now.removeDrafts(folder, before),
      this.#before.removeDrafts(folder, before),
    ]);
    return now + earlier;
  }

  async close(): Promise<void> {
    await this.#now.close();
    await this.#before.close();
  }
}
