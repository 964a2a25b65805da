import type { RecordCollection, RecordMetadata } from '../../contracts/http/records/common';

export interface RecordKey {
  readonly collection: RecordCollection;
  readonly id: string;
}

/** That a record names another one, and in which field. */
export interface Reference {
  readonly field: string;
  readonly to: RecordKey;
}

/** A record that names another one. */
export interface Referrer extends RecordKey {
  readonly field: string;
}

export type FieldValue = string | number;

/** Goods as a trace sees them: of one lot or of an unknown one, and what they were made of. */
export interface MovedItem {
  readonly lot: string | null;
  readonly sourceLots: readonly string[];
}

/** A way of goods from facility to facility. Times are ISO 8601 in UTC. */
export interface Movement {
  readonly id: string;
  readonly originId: string;
  readonly destinationId: string;
  readonly departure: string;
  /** Null where the goods do not get there, as they were rejected. */
  readonly arrival: string | null;
  readonly items: readonly MovedItem[];
}

/** A record to be kept: what callers see, and beside it what it is found by. */
export interface NewRecord extends RecordKey {
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The fields of the caller; the store does not look into it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** To filter and sort by; every record of a collection has the same ones. */
  readonly fields: Readonly<Record<string, FieldValue | null>>;
  /** To filter by, several values each. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  /** What a search for words looks into, by `searchText`. */
  readonly text: string;
  readonly references: readonly Reference[];
  /** Of a shipment that is under way, was or will be. */
  readonly movement: Movement | null;
}

/** A record as it is kept. */
export interface StoredRecord extends RecordKey, RecordMetadata {
  readonly body: Readonly<Record<string, unknown>>;
}

/** Small letters without accents, so that a search finds "Café" by "cafe". */
export function searchText(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
