import type { RecordStore } from '../../records/record-store';
import type { Neo4jSettings } from '../settings';
import { Neo4jDatabase } from '../database';
import { Neo4jRecordStore } from './neo4j-record-store';

/**
 * Creates the store of records on a Neo4j server. It connects at the first operation. A process that checks the server when it
 * starts calls `ping`, which throws `STORE_UNAVAILABLE` where the server cannot be reached and `CONFIGURATION` where it refuses
 * a setting or a newer holdfast wrote the database.
 */
export function createNeo4jRecordStore({ neo4j }: { readonly neo4j: Neo4jSettings }): RecordStore {
  return new Neo4jRecordStore(new Neo4jDatabase(neo4j));
}
