import { splitIntoBatches } from '../../base/lists';
import type { VectorEntry } from '../memory/vector-index';

/** This is a type and not an interface, because the client requires one that fits its index signature. */
export type MemoryMetadata = {
  readonly revision: number;
  readonly timestamp: number;
  /** Absent if the memory has no labels. */
  readonly labels?: string[];
  readonly weight: number;
};

export interface MemoryRecord {
  readonly id: string;
  readonly values: number[];
  readonly metadata: MemoryMetadata;
}

/** https://docs.pinecone.io/reference/api/database-limits */
const MAX_UPSERT_RECORDS = 1_000;
/** A request may have 2 MB; this is a little less, because it contains more than its records. */
const MAX_UPSERT_BYTES = 1_990_000;
/** With this many decimal digits every 32-bit floating-point number is exact (IEEE 754, §5.12.2). */
const FLOAT_DIGITS = 9;

function toRecord({ id, revision, timestamp, labels, weight, values }: VectorEntry): MemoryRecord {
  return {
    id,
    // JSON writes a 32-bit number with twice as many digits as it needs.
    values: Array.from(values, (value) => Number(value.toPrecision(FLOAT_DIGITS))),
    metadata: { revision, timestamp, ...(labels.length === 0 ? {} : { labels: [...labels] }), weight },
  };
}

/**
 * Splits entries into as few batches as possible, each for one request. A batch is created when the caller asks for it, because
 * serialising a thousand vectors of 768 numbers blocks the process for half a second.
 */
export function toUpsertBatches(entries: readonly VectorEntry[]): Generator<MemoryRecord[]> {
  const sizeOf = (record: MemoryRecord): number => Buffer.byteLength(JSON.stringify(record)) + 1;
  return splitIntoBatches(toRecords(entries), {
    sizeOf,
    maxSize: MAX_UPSERT_BYTES,
    maxItems: MAX_UPSERT_RECORDS,
  });
}

function* toRecords(entries: readonly VectorEntry[]): Generator<MemoryRecord> {
  for (const entry of entries) yield toRecord(entry);
}
