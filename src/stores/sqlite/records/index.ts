import type { RecordStore } from '../../records/record-store';
import { SqliteRecordStore } from './sqlite-record-store';

export interface SqliteRecordSettings {
  /** The SQLite file; made with its folder where there is none. */
  readonly path: string;
  /** How long an operation waits for another process's lock before it throws, milliseconds. Default 2,000. */
  readonly busyTimeoutMs?: number;
}

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;

/**
 * The embedded store of records. Nothing is opened yet: a process that wants to know at its start calls `ping`, which
 * throws `STORE_UNAVAILABLE` where the file cannot be used and `CONFIGURATION` where a newer holdfast wrote it.
 */
export function createSqliteRecordStore(settings: SqliteRecordSettings): RecordStore {
  const { path, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS } = settings;
  return new SqliteRecordStore({ path, busyTimeoutMs });
}
