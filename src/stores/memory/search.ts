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

/** Most that one list or search returns; larger limits count as this one. */
export const MAX_MEMORY_LIMIT = 1_000;

/** A limit as adapters apply it: a whole number from 0 to `MAX_MEMORY_LIMIT`. */
export function boundedLimit(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), MAX_MEMORY_LIMIT));
}

export interface TextQuery extends MemoryScope {
  /**
   * What a person typed: any characters, none of which is an operator. Words are alternatives, stems count, case
   * and accents do not. An adapter may pass over the commonest words of a language beside others, and words behind
   * the first 64 different ones.
   */
  readonly text: string;
  readonly limit: number;
}

export interface VectorQuery extends MemoryScope {
  /** The current space. */
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

/** A place in the order of `list`. */
export interface ListPosition {
  readonly timestamp: number;
  readonly id: string;
}

export interface ListQuery extends MemoryScope {
  /** By time, then id; one order is the other one backwards. */
  readonly order: 'newest-first' | 'oldest-first';
  /** Only what comes behind this place; it need not exist any more. */
  readonly after?: ListPosition;
  /** So many of what would be listed are passed over, without being read whole; a whole number from 0. */
  readonly offset?: number;
  readonly limit: number;
}
