import type { Embedder, EmbedderIdentity } from './embedder';

/** The embedders that the settings allow. */
export interface Embedders {
  /** The preferred one first. */
  readonly all: readonly Embedder[];

  /**
   * The one for a store that holds no vector yet: the first that can be used. Waits for a model on disk, never for a
   * download. Once it is the fallback it stays so for the life of the process.
   * @throws what `Embedder.embed` throws, where none can be used yet, or none at all
   */
  choose(signal?: AbortSignal): Promise<Embedder>;

  /** The one whose vectors fit those of a store; undefined where the settings name another. */
  find(identity: EmbedderIdentity): Embedder | undefined;

  close(): Promise<void>;
}
