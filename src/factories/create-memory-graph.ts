import { join } from 'node:path';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { Neo4jSettings } from '../stores/neo4j/settings';
import { createNeo4jMemoryGraph } from '../stores/neo4j/memory';
import { createSqliteMemoryGraph } from '../stores/sqlite/memory';

export interface MemoryGraphSettings {
  /** The folder of the embedded store's file, `memory.db`; made where there is none. */
  readonly DATA_DIR: string;
  /** The Neo4j server that keeps the data; undefined: it is embedded. */
  readonly neo4j: Neo4jSettings | undefined;
  /** Vectors of semantic memories are searched in an index outside of the graph. Default false. */
  readonly vectorsElsewhere?: boolean;
}

/**
 * The memory graph of these settings. Nothing is opened yet: a process that wants to know at its start calls `ping`,
 * which throws `STORE_UNAVAILABLE` where the store cannot be used and `CONFIGURATION` where it refuses a setting or a
 * newer holdfast wrote it. Throws where the embedded one is asked for and the project has not been compiled.
 */
export function createMemoryGraph({
  DATA_DIR,
  neo4j,
  vectorsElsewhere = false,
}: MemoryGraphSettings): MemoryGraph {
  if (neo4j !== undefined) return createNeo4jMemoryGraph({ neo4j, vectorsElsewhere });
  return createSqliteMemoryGraph({ path: join(DATA_DIR, 'memory.db'), vectorsElsewhere });
}
