import { join } from 'node:path';
import type { Neo4jSettings } from '../stores/neo4j/settings';
import { createNeo4jRecordStore } from '../stores/neo4j/records';
import type { RecordStore } from '../stores/records/record-store';
import { createSqliteRecordStore } from '../stores/sqlite/records';

export interface RecordStoreSettings {
  /** The folder of the embedded store's file, `records.db`. It is created where it does not exist. */
  readonly DATA_DIR: string;
  /** The Neo4j server of the data. Undefined: the store is embedded. */
  readonly neo4j: Neo4jSettings | undefined;
}

/**
 * Creates the store of records. It opens nothing yet. A process that checks the store when it starts calls `ping`, which throws
 * `STORE_UNAVAILABLE` where the store cannot be used and `CONFIGURATION` where it refuses a setting or a newer holdfast wrote it.
 */
export function createRecordStore({ DATA_DIR, neo4j }: RecordStoreSettings): RecordStore {
  if (neo4j !== undefined) return createNeo4jRecordStore({ neo4j });
  return createSqliteRecordStore({ path: join(DATA_DIR, 'records.db') });
}
