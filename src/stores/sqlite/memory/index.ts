import type { MemoryGraph } from '../../memory/memory-graph';
import { SqliteMemoryGraph } from './sqlite-memory-graph';

export interface SqliteMemorySettings {
  /** The SQLite file. It is created with its folder if it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another process's lock before it throws, milliseconds. Default 10,000. */
  readonly busyTimeoutMs?: number;
  /** Whether vectors of semantic memories are searched in an index outside of this file. Default false. */
  readonly vectorsElsewhere?: boolean;
}

/** A write waits for the disk of the process that has the lock, and a busy disk takes seconds for one fsync at times. */
const DEFAULT_BUSY_TIMEOUT_MS = 10_000;

/**
 * Creates the embedded memory graph. It opens the file at the first operation. A process that checks the file when it starts
 * calls `ping`, which throws `STORE_UNAVAILABLE` if the file cannot be used and `CONFIGURATION` if a newer holdfast wrote
 * it. Throws if the project has not been compiled, because the thread of the graph runs compiled code.
 */
export function createSqliteMemoryGraph(settings: SqliteMemorySettings): MemoryGraph {
  const { path, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, vectorsElsewhere = false } = settings;
  return new SqliteMemoryGraph({ path, busyTimeoutMs, vectorsElsewhere });
}
