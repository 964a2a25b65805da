import { createHmac, randomBytes } from 'node:crypto';
import type { Embedder } from './embedder';
import { untilAborted } from '../base/async/time-limit';

export interface CacheLimits {
  /** The maximum number of texts whose vectors the cache keeps. */
  readonly entries: number;
  /** The maximum size of the cache in bytes: vectors and their keys. */
  readonly bytes: number;
}

/** Texts that are embedded by one call of the embedder. */
interface Batch {
  readonly vectors: Promise<Float32Array[]>;
  readonly texts: readonly string[];
  readonly cancel: AbortController;
  waiting: number;
}

/** The place of a text in the batch that embeds it. */
interface PlaceInBatch {
  readonly batch: Batch;
  readonly at: number;
}

const BYTES_PER_CHARACTER = 2;

/**
 * Wraps an embedder so that it caches the vectors of the most recently used texts, and does not embed a text again while it is
 * being embedded. A batch is aborted only when the last caller that waits for it is aborted. Callers share the vectors, so they
 * must not change them.
 */
export function createCachedEmbedder(embedder: Embedder, limits: CacheLimits): Embedder {
  const cache = new VectorCache(limits);
  const inProgress = new Map<string, PlaceInBatch>();

  const removeBatch = (batch: Batch): void => {
    for (const text of batch.texts) if (inProgress.get(text)?.batch === batch) inProgress.delete(text);
  };

  function start(texts: readonly string[]): void {
    const cancel = new AbortController();
    const vectors = embedder.embed(texts, cancel.signal);
    const batch: Batch = { vectors, texts, cancel, waiting: 0 };
    texts.forEach((text, at) => inProgress.set(text, { batch, at }));
    vectors
      .then((made) => made.forEach((vector, at) => cache.set(texts[at] ?? '', vector)))
      // The callers that wait for the batch get the error.
      .catch(() => undefined)
      .finally(() => removeBatch(batch));
  }

  function stopWaiting(batch: Batch): void {
    batch.waiting -= 1;
    if (batch.waiting > 0) return;
    removeBatch(batch);
    batch.cancel.abort();
  }

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const known = new Map<string, Float32Array | undefined>(texts.map((text) => [text, cache.get(text)]));
    const missing = [...known.keys()].filter(
      (text) => known.get(text) === undefined && !inProgress.has(text),
    );
    if (missing.length > 0) start(missing);
    const getVector = async (text: string): Promise<Float32Array> => {
      const vector = known.get(text) ?? (await waitForVector(text));
      if (vector === undefined) throw new Error('the embedder returned too few vectors');
      return vector;
    };
    const waitForVector = async (text: string): Promise<Float32Array | undefined> => {
      const place = inProgress.get(text);
      return place && (await place.batch.vectors)[place.at];
    };
    const batches = new Set([...known.keys()].flatMap((text) => inProgress.get(text)?.batch ?? []));
    for (const batch of batches) batch.waiting += 1;
    try {
      const vectors = Promise.all(texts.map(getVector));
      return await (signal === undefined ? vectors : untilAborted(vectors, signal));
    } finally {
      batches.forEach(stopWaiting);
    }
  }

  return {
    identity: embedder.identity,
    status: () => embedder.status(),
    ready: (signal) => embedder.ready(signal),
    embed,
    similarity: (cosine) => embedder.similarity(cosine),
    relevance: (cosine, coverage) => embedder.relevance(cosine, coverage),
    meaningShare: embedder.meaningShare,
    close: () => embedder.close(),
  };
}

/**
 * A cache of vectors that removes the least recently used ones first. It does not keep the texts themselves, because their user
 * may be erased meanwhile.
 */
class VectorCache {
  readonly #vectors = new Map<string, Float32Array>();
  readonly #limits: CacheLimits;
  #bytes = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get(text: string): Float32Array | undefined {
    const key = hashText(text);
    const vector = this.#vectors.get(key);
    if (vector === undefined) return undefined;
    // A map keeps the order of insertion, so the least recently used vector comes first.
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    return vector;
  }

  set(text: string, vector: Float32Array): void {
    const key = hashText(text);
    this.#delete(key);
    this.#vectors.set(key, vector);
    this.#bytes += sizeOf(key, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const vector = this.#vectors.get(key);
    if (vector === undefined) return;
    this.#vectors.delete(key);
    this.#bytes -= sizeOf(key, vector);
  }
}

/** A random secret of this process, so that the keys in its memory do not reveal whether it has embedded a given text. */
const SECRET = randomBytes(32);

function hashText(text: string): string {
  return createHmac('sha256', SECRET).update(text).digest('base64');
}

function sizeOf(key: string, vector: Float32Array): number {
  return key.length * BYTES_PER_CHARACTER + vector.byteLength;
}
