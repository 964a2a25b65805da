import type { MemoryGraph } from '../../memory/memory-graph';
import { SqliteMemoryGraph } from './sqlite-memory-graph';

export interface SqliteMemorySettings {
  /** The SQLite file; made with its folder where there is none. */
  readonly path: string;
  /** How long an operation waits for another process's lock before it throws, milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** Vectors of semantic memories are searched in an index outside of this file. Default false. */
  readonly vectorsElsewhere?: boolean;
}

const DEFAULT_BUSY_TIMEOUT_MS = 5_000;

/**
 * The embedded memory graph. Nothing is opened yet: a process that wants to know at its start calls `ping`, which
 * throws `STORE_UNAVAILABLE` where the file cannot be used and `CONFIGURATION` where a newer holdfast wrote it.
 * Throws where the project has not been compiled, as its thread runs compiled code.
 */
export function createSqliteMemoryGraph(settings: SqliteMemorySettings): MemoryGraph {
  const { path, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, vectorsElsewhere = false } = settings;
  return new SqliteMemoryGraph({ path, busyTimeoutMs, vectorsElsewhere });
}
