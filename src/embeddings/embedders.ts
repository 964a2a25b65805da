import type { Embedder, EmbedderIdentity } from './embedder';

/** The embedders that the settings allow. */
export interface Embedders {
  /** All embedders, the preferred one first. */
  readonly all: readonly Embedder[];

  /**
   * Chooses the embedder for a store without vectors: the first that can be used. It waits until a model on disk is loaded, but
   * not for a download. Once it has chosen the fallback, it chooses the fallback for the life of the process.
   * @throws what `Embedder.embed` throws, if no embedder can be used (yet)
   */
  choose(signal?: AbortSignal): Promise<Embedder>;

  /** Finds the embedder with the identity of a store's vectors; undefined if the settings name another one. */
  find(identity: EmbedderIdentity): Embedder | undefined;

  close(): Promise<void>;
}
