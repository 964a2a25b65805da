import type { MemoryGraph } from '../../memory/memory-graph';
import type { Neo4jSettings } from '../settings';
import { Neo4jDatabase } from '../database';
import { Neo4jMemoryGraph } from './neo4j-memory-graph';

export interface Neo4jMemorySettings {
  readonly neo4j: Neo4jSettings;
  /** Whether vectors of semantic memories are searched in an index outside of the database. Default false. */
  readonly vectorsElsewhere?: boolean;
}

/**
 * Creates the memory graph of a Neo4j server that several machines may share. It connects at the first operation. A process
 * that checks the server when it starts calls `ping`, which throws `STORE_UNAVAILABLE` if the server cannot be used and
 * `CONFIGURATION` if it refuses a setting or a newer holdfast wrote the database.
 */
export function createNeo4jMemoryGraph(settings: Neo4jMemorySettings): MemoryGraph {
  const { neo4j, vectorsElsewhere = false } = settings;
  return new Neo4jMemoryGraph(new Neo4jDatabase(neo4j), { vectorsElsewhere });
}
