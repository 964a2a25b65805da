/** The providers of vectors. */
export const EMBEDDER_PROVIDERS = ['transformers', 'lexical'] as const;

/**
 * Identifies the embedder of vectors. Only vectors with the same identity can be compared, so the first vector of a store pins
 * the store to its identity, and vectors of two identities must never be mixed.
 */
export interface EmbedderIdentity {
  readonly provider: (typeof EMBEDDER_PROVIDERS)[number];
  /** The model's name on the hub, or the name of its folder. */
  readonly model: string;
  /** The length of every vector. */
  readonly dimensions: number;
}

/** Whether an embedder can be used now. */
export type EmbedderState =
  /** `progress`, 0 to 1, is present while files are being downloaded; without it the model is being loaded from the disk. */
  | { readonly state: 'loading'; readonly progress?: number }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly reason: string };

/** Converts texts to vectors whose cosine measures how similar they are in meaning. */
export interface Embedder {
  readonly identity: EmbedderIdentity;

  status(): EmbedderState;

  /**
   * Resolves when `embed` can be used. It waits until a model on disk is loaded, but not for a download.
   * @throws what `embed` throws
   */
  ready(signal?: AbortSignal): Promise<void>;

  /**
   * Returns one vector of unit length for each text, in the order of the texts; the same text always gives the same vector.
   * It waits as `ready` does.
   * @throws HoldfastError `EMBEDDER_UNAVAILABLE` (retryable) while the model cannot be used or too many texts are waiting,
   * `CONFIGURATION` if its vectors do not have the configured length; the signal's reason when aborted
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;

  /**
   * Converts the cosine of two vectors of this embedder to relevance, 0 to 1. It rises with the cosine, and 0.7 and more means
   * relevant with every model.
   */
  similarity(cosine: number): number;

  /**
   * The relevance of a found memory for a query, 0 to 1, on the scale of `similarity`. An embedder that only compares words uses
   * the share of the query's words that the memory has (`coverageBy`; undefined if the query has no words).
   */
  relevance(cosine: number, coverage: number | undefined): number;

  /**
   * The share of the cosine in the order of results, 0 to 1; the rest is the share of the words. It is small if an embedder
   * only compares words, which a text search weighs better.
   */
  readonly meaningShare: number;

  /** Ends the work in the background and rejects waiting calls. */
  close(): Promise<void>;
}
