import { join } from 'node:path';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { Neo4jSettings } from '../stores/neo4j/settings';
import { createNeo4jMemoryGraph } from '../stores/neo4j/memory';
import { createSqliteMemoryGraph } from '../stores/sqlite/memory';

export interface MemoryGraphSettings {
  /** The folder of the embedded store's file, `memory.db`. It is created if it does not exist. */
  readonly DATA_DIR: string;
  /** The Neo4j server of the data. Undefined: the store is embedded. */
  readonly neo4j: Neo4jSettings | undefined;
  /** Whether vectors of semantic memories are searched in an index outside of the graph. Default false. */
  readonly vectorsElsewhere?: boolean;
}

/**
 * Creates the memory graph. It opens nothing yet. A process that checks the store when it starts calls `ping`, which throws
 * `STORE_UNAVAILABLE` if the store cannot be used and `CONFIGURATION` if it refuses a setting or a newer holdfast wrote it.
 * Throws for an embedded store if the project has not been compiled.
 */
export function createMemoryGraph({
  DATA_DIR,
  neo4j,
  vectorsElsewhere = false,
}: MemoryGraphSettings): MemoryGraph {
  if (neo4j !== undefined) return createNeo4jMemoryGraph({ neo4j, vectorsElsewhere });
  return createSqliteMemoryGraph({ path: join(DATA_DIR, 'memory.db'), vectorsElsewhere });
}
