import type { RecordStore } from '../../records/record-store';
import type { Neo4jSettings } from '../settings';
import { Neo4jDatabase } from '../database';
import { Neo4jRecordStore } from './neo4j-record-store';

/**
 * Records on a Neo4j server. Nothing is opened yet: a process that wants to know at its start calls `ping`, which throws
 * `STORE_UNAVAILABLE` where the server cannot be reached and `CONFIGURATION` where it refuses a setting or a newer
 * holdfast wrote the database.
 */
export function createNeo4jRecordStore({ neo4j }: { readonly neo4j: Neo4jSettings }): RecordStore {
  return new Neo4jRecordStore(new Neo4jDatabase(neo4j));
}
