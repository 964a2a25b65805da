import type { RecordStores } from '../record-stores';
import { SqliteRecordStores } from './sqlite-record-stores';

export interface SqliteRecordSettings {
  /**
   * The folder of the default tenant's file, `records.db`. Every other tenant has such a file in `tenants/<tenant>/` below it.
   * Files are created with their folders if they do not exist.
   */
  readonly folder: string;
  /** The maximum time that an operation waits for another process's lock before it throws, milliseconds. Default 2,000. */
  readonly busyTimeoutMs?: number;
  /** The maximum number of files that are open at once. Default 100. */
  readonly maxOpenFiles?: number;
}

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;
/** Each open file has up to three descriptors, and many systems limit a process to 1,024. */
const DEFAULT_MAX_OPEN_FILES = 100;

/**
 * Creates the embedded stores of records. Each opens its file at the first operation. A process that checks the default tenant's
 * file when it starts calls `ping`, which throws `STORE_UNAVAILABLE` if the file cannot be used and `CONFIGURATION` if a
 * newer holdfast wrote it.
 */
export function createSqliteRecordStores(settings: SqliteRecordSettings): RecordStores {
  const { folder, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, maxOpenFiles = DEFAULT_MAX_OPEN_FILES } = settings;
  return new SqliteRecordStores({ folder, busyTimeoutMs, maxOpenFiles });
}
