import { createHmac, randomBytes } from 'node:crypto';
import { untilAborted } from '../base/async/until-aborted';
import type { Embedder } from './embedder';

export interface CacheLimits {
  /** Most texts kept. */
  readonly entries: number;
  /** Most memory kept, bytes: vectors and texts. */
  readonly bytes: number;
}

/** Texts that were asked of the embedder together. */
interface Batch {
  readonly vectors: Promise<Float32Array[]>;
  readonly texts: readonly string[];
  readonly cancel: AbortController;
  waiting: number;
}

interface Place {
  readonly batch: Batch;
  readonly at: number;
}

const BYTES_PER_CHARACTER = 2;

/**
 * An embedder that remembers the vectors of the texts used last, and asks for a text that is being embedded no second
 * time. Work goes on until the last caller that waits for it is aborted. Vectors are shared: do not change them.
 */
export function cachedEmbedder(embedder: Embedder, limits: CacheLimits): Embedder {
  const kept = new VectorCache(limits);
  const underWay = new Map<string, Place>();

  const forget = (batch: Batch): void => {
    for (const text of batch.texts) if (underWay.get(text)?.batch === batch) underWay.delete(text);
  };

  function start(texts: readonly string[]): void {
    const cancel = new AbortController();
    const vectors = embedder.embed(texts, cancel.signal);
    const batch: Batch = { vectors, texts, cancel, waiting: 0 };
    texts.forEach((text, at) => underWay.set(text, { batch, at }));
    vectors
      .then((made) => made.forEach((vector, at) => kept.set(texts[at] ?? '', vector)))
      // Those who wait for the batch are told.
      .catch(() => undefined)
      .finally(() => forget(batch));
  }

  function leave(batch: Batch): void {
    batch.waiting -= 1;
    if (batch.waiting > 0) return;
    forget(batch);
    batch.cancel.abort();
  }

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const known = new Map<string, Float32Array | undefined>(texts.map((text) => [text, kept.get(text)]));
    const missing = [...known.keys()].filter((text) => known.get(text) === undefined && !underWay.has(text));
    if (missing.length > 0) start(missing);
    const vectorOf = async (text: string): Promise<Float32Array> => {
      const ready = known.get(text) ?? (await underWayVector(text));
      if (ready === undefined) throw new Error('the embedder returned too few vectors');
      return ready;
    };
    const underWayVector = async (text: string): Promise<Float32Array | undefined> => {
      const place = underWay.get(text);
      return place && (await place.batch.vectors)[place.at];
    };
    const batches = new Set([...known.keys()].flatMap((text) => underWay.get(text)?.batch ?? []));
    for (const batch of batches) batch.waiting += 1;
    try {
      const vectors = Promise.all(texts.map(vectorOf));
      return await (signal === undefined ? vectors : untilAborted(vectors, signal));
    } finally {
      batches.forEach(leave);
    }
  }

  return {
    identity: embedder.identity,
    status: () => embedder.status(),
    ready: (signal) => embedder.ready(signal),
    embed,
    similarity: (cosine) => embedder.similarity(cosine),
    relevance: (cosine, coverage) => embedder.relevance(cosine, coverage),
    close: () => embedder.close(),
  };
}

/** Least recently used vectors go first. Texts themselves are not kept: whoever's they are may be forgotten meanwhile. */
class VectorCache {
  private readonly vectors = new Map<string, Float32Array>();
  private bytes = 0;

  constructor(private readonly limits: CacheLimits) {}

  get(text: string): Float32Array | undefined {
    const key = keyOf(text);
    const vector = this.vectors.get(key);
    if (vector === undefined) return undefined;
    // A map keeps the order of insertion: the least recently used one comes first.
    this.vectors.delete(key);
    this.vectors.set(key, vector);
    return vector;
  }

  set(text: string, vector: Float32Array): void {
    const key = keyOf(text);
    this.delete(key);
    this.vectors.set(key, vector);
    this.bytes += sizeOf(key, vector);
    for (const oldest of this.vectors.keys()) {
      if (this.vectors.size <= this.limits.entries && this.bytes <= this.limits.bytes) return;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    const vector = this.vectors.get(key);
    if (vector === undefined) return;
    this.vectors.delete(key);
    this.bytes -= sizeOf(key, vector);
  }
}

/** Of this process alone, so that its memory does not let anybody try out whether a text was there. */
const SECRET = randomBytes(32);

function keyOf(text: string): string {
  return createHmac('sha256', SECRET).update(text).digest('base64');
}

function sizeOf(key: string, vector: Float32Array): number {
  return key.length * BYTES_PER_CHARACTER + vector.byteLength;
}
