import type { MemoryKind } from './node';

/** Every condition given must hold. */
export interface MemoryFilters {
  readonly sessionId?: string;
  /** Epoch milliseconds, both ends included. */
  readonly from?: number;
  readonly to?: number;
  /** At least one of these labels. An empty list finds nothing. */
  readonly anyLabel?: readonly string[];
  /** 0 to 1, both ends included. */
  readonly minWeight?: number;
  readonly maxWeight?: number;
}

/** The memories of one user and kind: no search ever leaves them. */
export interface MemoryScope {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly filters?: MemoryFilters;
}

export interface TextQuery extends MemoryScope {
  /** What a person typed: any characters, none of which is an operator. Words are alternatives, stems count. */
  readonly text: string;
  readonly limit: number;
}

export interface VectorQuery extends MemoryScope {
  readonly spaceId: number;
  /** Of unit length. */
  readonly vector: Float32Array;
  readonly limit: number;
}

export interface SearchHit {
  readonly id: string;
  /** Text: above 0, more is better, comparable within one answer only (BM25). Vector: the cosine, -1 to 1. */
  readonly score: number;
}

/** A place in the order of `listMemories`. */
export interface ListPosition {
  readonly timestamp: number;
  readonly id: string;
}

export interface ListQuery extends MemoryScope {
  /** By time, ids deciding between equals. */
  readonly order: 'newest-first' | 'oldest-first';
  /** Only what comes behind this place; it need not exist any more. */
  readonly after?: ListPosition;
  readonly limit: number;
}
