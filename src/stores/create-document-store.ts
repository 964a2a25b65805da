import type { DocumentStore } from './documents';
import { SqliteDocuments } from './sqlite/sqlite-documents';

export interface DocumentStoreSettings {
  /** The SQLite file; made with its folder where there is none. */
  readonly path: string;
  /** How long an operation waits for another process's lock before it throws, milliseconds. Default 2,000. */
  readonly busyTimeoutMs?: number;
}

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;

/**
 * The document store of these settings. Nothing is opened yet, so this does not throw: a process that wants to
 * know at its start calls `ping`, which throws `STORE_UNAVAILABLE` where the file cannot be used and
 * `CONFIGURATION` where a newer holdfast wrote it.
 */
export function createDocumentStore(settings: DocumentStoreSettings): DocumentStore {
  return new SqliteDocuments({
    path: settings.path,
    busyTimeoutMs: settings.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS,
  });
}
