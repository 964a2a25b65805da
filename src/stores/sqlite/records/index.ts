import type { RecordStore } from '../../records/record-store';
import { SqliteRecordStore } from './sqlite-record-store';

export interface SqliteRecordSettings {
  /** The SQLite file. It is created with its folder where it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another process's lock before it throws, milliseconds. Default 2,000. */
  readonly busyTimeoutMs?: number;
}

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;

/**
 * Creates the embedded store of records. It opens the file at the first operation. A process that checks the file when it starts
 * calls `ping`, which throws `STORE_UNAVAILABLE` where the file cannot be used and `CONFIGURATION` where a newer holdfast wrote
 * it.
 */
export function createSqliteRecordStore(settings: SqliteRecordSettings): RecordStore {
  const { path, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS } = settings;
  return new SqliteRecordStore({ path, busyTimeoutMs });
}
