import type { RecordCollection } from '../contracts/common';
import type { FieldValue, Movement, NewRecord, RecordKey, Referrer, StoredRecord } from './record';

export interface PutRecord {
  readonly type: 'put';
  readonly record: NewRecord;
  /** The version that the stored record must have, or 0 if it must not exist. */
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
  /** The text contains all of these words, which have the form of `searchText`. */
  | { readonly type: 'text'; readonly words: readonly string[] };

export interface RecordPosition {
  readonly value: FieldValue;
  readonly id: string;
}

export interface RecordQuery {
  readonly collection: RecordCollection;
  readonly conditions: readonly RecordCondition[];
  /** A field that every record of the collection has. Records with the same value are ordered by id, in the same direction. */
  readonly sort: string;
  readonly descending: boolean;
  /** List only records after this position, whether or not a record is at the position. */
  readonly after?: RecordPosition;
  readonly limit: number;
}

export interface RecordPage {
  readonly records: readonly StoredRecord[];
  /** The number of records that meet the conditions, on all pages. */
  readonly total: number;
}

/** Goods at a facility that a trace follows: one lot, or all (null). */
export interface GoodsAt {
  readonly facilityId: string;
  readonly lot: string | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /**
   * The trace already knows movements from this time on (of arrivals: until this time); ISO 8601 in UTC. Absent: it knows no
   * movements yet.
   */
  readonly known?: string;
}

export interface MovementBounds {
  /** The bounds of departures, both inclusive; ISO 8601 in UTC. */
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

/** The maximum number of records that one `list` returns. */
export const MAX_RECORD_LIMIT = 1_001;

/**
 * The records of one tenant, which refer to each other, and the movements of goods between them.
 *
 * All methods throw `STORE_UNAVAILABLE` (retryable) if the store cannot be reached, is busy for too long or was closed; and
 * `CONFIGURATION` if a newer holdfast wrote it or it refuses a setting.
 */
export interface RecordStore {
  get(key: RecordKey): Promise<StoredRecord | undefined>;

  /** Returns the records that exist, by id. */
  getMany(collection: RecordCollection, ids: readonly string[]): Promise<Map<string, StoredRecord>>;

  /**
   * Makes all of the changes or none of them; each must name another record. The changes are on the disk when it returns. After
   * the changes, every record that is referred to must exist.
   *
   * @returns the stored records of all puts, in order, each with its new version
   * @throws HoldfastError `RECORD_CHANGED` if a record has another version, `RECORD_REFERENCE` if a stored record refers to
   * one that does not exist, `RECORD_IN_USE` if others refer to a deleted record
   */
  write(changes: readonly RecordChange[]): Promise<StoredRecord[]>;

  list(query: RecordQuery): Promise<RecordPage>;

  /** Returns the records of `list` without the total, so that a caller that reads all pages does not pay for each count. */
  page(query: RecordQuery): Promise<StoredRecord[]>;

  /** Lists the records that refer to any of these; those of one of these are in the order of collections and ids. */
  referrers(keys: readonly RecordKey[], limit: number): Promise<Referrer[]>;

  /**
   * Finds movements by which goods may have left: from their facility, departing at `at` or later, with an item that is of their
   * lot, made from it, or of an unknown lot, except known movements. Returns each once. The result may include other movements
   * from the same facilities.
   */
  departures(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]>;

  /**
   * Finds, in the same way, movements by which goods may have arrived: to their facility, arriving at `at` or earlier, with an
   * item of their lot or of an unknown lot.
   */
  arrivals(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]>;

  /** Returns the movements of these shipments; shipments without one are left out. */
  movements(ids: readonly string[]): Promise<Movement[]>;
}
