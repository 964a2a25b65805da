import type { VectorEntry } from '../memory/vector-index';

/** A type and no interface, as the client wants one that fits its index signature. */
export type MemoryMetadata = {
  readonly revision: number;
  readonly timestamp: number;
  /** Absent where there is none. */
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
/** A little under the 2 MB of a request, for what it has around its records. */
const MAX_UPSERT_BYTES = 1_990_000;
/** As many as every number that fits into 32 bits needs to be told exactly (IEEE 754, §5.12.2). */
const FLOAT_DIGITS = 9;

function toRecord({ id, revision, timestamp, labels, weight, values }: VectorEntry): MemoryRecord {
  return {
    id,
    // Written out, a number of 32 bits has twice as many digits as it takes.
    values: Array.from(values, (value) => Number(value.toPrecision(FLOAT_DIGITS))),
    metadata: { revision, timestamp, ...(labels.length === 0 ? {} : { labels: [...labels] }), weight },
  };
}

/**
 * As few batches as one request each can take. Each is made when it is asked for, because writing out a thousand
 * vectors of 768 numbers takes half a second in which nothing else can run.
 */
export function* batchesOf(entries: readonly VectorEntry[]): Generator<MemoryRecord[]> {
  let batch: MemoryRecord[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const record = toRecord(entry);
    const size = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (batch.length === MAX_UPSERT_RECORDS || (batch.length > 0 && bytes + size > MAX_UPSERT_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
