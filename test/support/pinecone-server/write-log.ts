import type { Metadata } from './filter';

export interface StoredVector {
  readonly values: readonly number[];
  readonly metadata: Metadata;
}

export type Vectors = Map<string, StoredVector>;

/** The writes of one namespace: each gets a log sequence number at once, and reads see it once it is indexed. */
export interface Namespace {
  /** The number of the last write. */
  readonly lsn: number;
  /** The number of the last write that reads see. */
  readonly indexedLsn: number;
  /** The entries that reads see. */
  readonly vectors: ReadonlyMap<string, StoredVector>;
  /** Returns the number of the write. */
  append(change: (vectors: Vectors) => void): number;
  /** Lets reads see the writes up to this one; absent: all of them. */
  index(upTo?: number): void;
}

export function createNamespace(indexAtOnce: () => boolean): Namespace {
  const vectors: Vectors = new Map();
  const waiting: ((vectors: Vectors) => void)[] = [];
  let lsn = 0;
  const namespace = {
    vectors,
    get lsn() {
      return lsn;
    },
    get indexedLsn() {
      return lsn - waiting.length;
    },
    append(change: (vectors: Vectors) => void) {
      waiting.push(change);
      lsn += 1;
      if (indexAtOnce()) namespace.index();
      return lsn;
    },
    index(upTo = lsn) {
      for (const change of waiting.splice(0, upTo - namespace.indexedLsn)) change(vectors);
    },
  };
  return namespace;
}
