/** Who makes the vectors. */
export const EMBEDDER_PROVIDERS = ['transformers', 'lexical'] as const;

/**
 * What vectors have to have in common to be compared: a store is pinned to it by its first vector. Vectors of
 * two identities must never be mixed.
 */
export interface EmbedderIdentity {
  readonly provider: (typeof EMBEDDER_PROVIDERS)[number];
  /** Hub name, or the name of the model's folder. */
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
}

/** Whether an embedder can be used now. */
export type EmbedderState =
  /** `progress`, 0 to 1, is there while files are being downloaded; without it only the disk is waited for. */
  | { readonly state: 'loading'; readonly progress?: number }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly reason: string };

/** Turns texts into vectors whose cosine tells how near they are in meaning. */
export interface Embedder {
  readonly identity: EmbedderIdentity;

  status(): EmbedderState;

  /**
   * Resolves when `embed` can be used. Waits for a model on disk to be loaded, and never for a download.
   * @throws what `embed` throws
   */
  ready(signal?: AbortSignal): Promise<void>;

  /**
   * One vector of unit length a text, in the order of the texts; the same text always gives the same vector.
   * Waits as `ready` does.
   * @throws HoldfastError `EMBEDDER_UNAVAILABLE` (retryable) while the model cannot be used or too much is
   * waiting, `CONFIGURATION` where its vectors are not as long as configured; the signal's reason when aborted
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;

  /**
   * The cosine of two vectors of this embedder as relevance, 0 to 1: 0.7 and more means relevant with every
   * model. Rises with the cosine.
   */
  similarity(cosine: number): number;

  /**
   * How relevant a memory found for a query is, 0 to 1, on the scale of `similarity`. An embedder without understanding
   * tells it by the share of the query's words that the memory has (`coverageBy`; undefined: the query has none).
   */
  relevance(cosine: number, coverage: number | undefined): number;

  /** Ends what runs in the background; what still waits is rejected. */
  close(): Promise<void>;
}
