import type { RecordCollection } from '../../contracts/http/records/common';
import type { FieldValue, Movement, NewRecord, RecordKey, Referrer, StoredRecord } from './record';

export interface PutRecord {
  readonly type: 'put';
  readonly record: NewRecord;
  /** The version it must have; 0: there must be none. */
  readonly ifVersion: number;
}

export interface DeleteRecord extends RecordKey {
  readonly type: 'delete';
  readonly ifVersion: number;
}

export type RecordChange = PutRecord | DeleteRecord;

export type RecordCondition =
  | { readonly type: 'any'; readonly field: string; readonly values: readonly FieldValue[] }
  | { readonly type: 'tag'; readonly field: string; readonly values: readonly string[] }
  | { readonly type: 'min' | 'max'; readonly field: string; readonly value: FieldValue }
  /** The text has all of these in it; as `searchText` makes them. */
  | { readonly type: 'text'; readonly words: readonly string[] };

export interface RecordPosition {
  readonly value: FieldValue;
  readonly id: string;
}

export interface RecordQuery {
  readonly collection: RecordCollection;
  readonly conditions: readonly RecordCondition[];
  /** A field that no record of the collection lacks. Records of one value go by id, in the same direction. */
  readonly sort: string;
  readonly descending: boolean;
  /** Begin behind this place, whether or not a record is there. */
  readonly after?: RecordPosition;
  readonly limit: number;
}

export interface RecordPage {
  readonly records: readonly StoredRecord[];
  /** How many pass the conditions, on whatever page. */
  readonly total: number;
}

/** Goods at a facility that are followed: one lot, or all (null). */
export interface GoodsAt {
  readonly facilityId: string;
  readonly lot: string | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Ways from this time on (of arrivals: until it) are known; ISO 8601 in UTC, absent: none are. */
  readonly known?: string;
}

export interface MovementBounds {
  /** Departures only from here to there, both included; ISO 8601 in UTC. */
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

/** Most records that `list` returns at once. */
export const MAX_RECORD_LIMIT = 1_001;

/**
 * Records that refer to each other, and the ways of goods between them.
 *
 * All methods throw `STORE_UNAVAILABLE` (retryable) where the store cannot be reached or is busy for too long.
 */
export interface RecordStore {
  get(key: RecordKey): Promise<StoredRecord | undefined>;

  /** Those of the ids that there are, by id. */
  getMany(collection: RecordCollection, ids: readonly string[]): Promise<Map<string, StoredRecord>>;

  /**
   * All of the changes or none of them, each of another record, on the disk when it returns. What the records refer to has to be there
   * afterwards, and nothing may refer to what was deleted.
   *
   * @returns the records put, in order, each with its new version
   * @throws HoldfastError `RECORD_CHANGED` where a version is another one, `RECORD_REFERENCE` where a put record refers
   * to nothing, `RECORD_IN_USE` where a deleted one is referred to
   */
  write(changes: readonly RecordChange[]): Promise<StoredRecord[]>;

  list(query: RecordQuery): Promise<RecordPage>;

  /** The records of `list` alone: who goes through all pages does not pay for a count with each. */
  page(query: RecordQuery): Promise<StoredRecord[]>;

  /** Who refers to a record, in the order of collections and ids. */
  referrers(key: RecordKey, limit: number): Promise<Referrer[]>;

  /**
   * Ways that goods may have taken: from their facility, departing not before `at`, with an item of their lot, made of
   * it, or of an unknown lot, but for those known. May return others from the same facilities; each once.
   */
  departures(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]>;

  /** Likewise ways that goods may have come: to their facility, there not after `at`, with an item of their or an unknown lot. */
  arrivals(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]>;

  /** Ways of these shipments, as far as they have any. */
  movements(ids: readonly string[]): Promise<Movement[]>;

  /** Throws also `CONFIGURATION` where a newer holdfast wrote the store or it refuses a setting. */
  ping(): Promise<void>;

  /** May be called twice. */
  close(): Promise<void>;
}
