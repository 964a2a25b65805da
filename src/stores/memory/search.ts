import type { MemoryKind, MemoryNode } from './node';

/** Filters of a search. A memory must meet every condition that is given. */
export interface MemoryFilters {
  readonly sessionId?: string;
  /** The bounds of the timestamp in epoch milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** The memory must have at least one of these labels. An empty list finds nothing. */
  readonly anyLabel?: readonly string[];
  /** The bounds of the weight, 0 to 1, both inclusive. */
  readonly minWeight?: number;
  readonly maxWeight?: number;
}

/** The memories of one user and kind. A search never returns others. */
export interface MemoryScope {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly filters?: MemoryFilters;
}

/** Whether a memory is in a scope, for callers that have it already. Pure. */
export function fitsScope(node: MemoryNode, { userId, kind, filters = {} }: MemoryScope): boolean {
  const { sessionId, from = -Infinity, to = Infinity, anyLabel, minWeight = 0, maxWeight = 1 } = filters;
  return (
    node.userId === userId &&
    node.kind === kind &&
    (sessionId === undefined || node.sessionId === sessionId) &&
    node.timestamp >= from &&
    node.timestamp <= to &&
    (anyLabel === undefined || node.labels.some((label) => anyLabel.includes(label))) &&
    node.weight >= minWeight &&
    node.weight <= maxWeight
  );
}

/** The maximum number of results of one list or search; larger limits count as this one. */
export const MAX_MEMORY_LIMIT = 1_000;

/** Converts a limit to the whole number from 0 to `MAX_MEMORY_LIMIT` that adapters use. */
export function boundedLimit(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), MAX_MEMORY_LIMIT));
}

export interface TextQuery extends MemoryScope {
  /**
   * The text as a person typed it; no character is an operator. A memory matches if it has any of the words, compared by their
   * stems, without case and accents. An adapter may ignore the most common words of a language if the query has others, and
   * all words after the first 64 different ones. Texts of scripts without spaces are found by parts of their words.
   */
  readonly text: string;
  readonly limit: number;
}

export interface VectorQuery extends MemoryScope {
  /** The id of the current space. */
  readonly spaceId: number;
  /** A vector of unit length. */
  readonly vector: Float32Array;
  readonly limit: number;
}

export interface SearchHit {
  readonly id: string;
  /**
   * Of a text search: BM25, above 0; higher is better, and only scores of one result can be compared. Of a vector search: the
   * cosine, -1 to 1.
   */
  readonly score: number;
}

/** A position in the order of `list`. */
export interface ListPosition {
  readonly timestamp: number;
  readonly id: string;
}

export interface ListQuery extends MemoryScope {
  /** Memories are ordered by time, then by id; the two orders are the reverse of each other. */
  readonly order: 'newest-first' | 'oldest-first';
  /** List only memories after this position. The memory at the position need not exist any more. */
  readonly after?: ListPosition;
  /** The number of memories that the store skips, without reading them completely; a whole number from 0. */
  readonly offset?: number;
  readonly limit: number;
}
