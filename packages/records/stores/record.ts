import type { RecordCollection, RecordMetadata } from '../contracts/common';

export interface RecordKey {
  readonly collection: RecordCollection;
  readonly id: string;
}

/** A reference of a record to another one, and the field that has it. */
export interface Reference {
  readonly field: string;
  readonly to: RecordKey;
}

/** A record that refers to another one, and the field that does. */
export interface Referrer extends RecordKey {
  readonly field: string;
}

export type FieldValue = string | number;

/** Moved goods as a trace reads them: their lot, or null if it is unknown, and the lots from which they were made. */
export interface MovedItem {
  readonly lot: string | null;
  readonly sourceLots: readonly string[];
}

/** A movement of goods from one facility to another. Times are ISO 8601 in UTC. */
export interface Movement {
  readonly id: string;
  readonly originId: string;
  readonly destinationId: string;
  readonly departure: string;
  /** Null if the goods did not arrive, because they were rejected. */
  readonly arrival: string | null;
  readonly items: readonly MovedItem[];
}

/** A record to store: the fields that callers see, and those by which it is found. */
export interface NewRecord extends RecordKey {
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The fields that callers see; the store does not read them. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Fields to filter and sort by; every record of a collection has the same ones. */
  readonly fields: Readonly<Record<string, FieldValue | null>>;
  /** Fields to filter by that may have several values each. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  /** The text in which a search looks for words, in the form of `searchText`. */
  readonly text: string;
  readonly references: readonly Reference[];
  /** The movement of a shipment that is, was or will be in transit; otherwise null. */
  readonly movement: Movement | null;
}

/** A stored record. */
export interface StoredRecord extends RecordKey, RecordMetadata {
  readonly body: Readonly<Record<string, unknown>>;
}

/** Converts text to lower case without accents, so that a search for "cafe" finds "Café". */
export function searchText(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
