import type { Neo4jSettings } from '../stores/neo4j/settings';
import { createNeo4jRecordStores } from '../stores/neo4j/records';
import type { RecordStores } from '../stores/records/record-stores';
import { createSqliteRecordStores } from '../stores/sqlite/records';

export interface RecordStoresSettings {
  /** The folder of the embedded stores' files. It is created if it does not exist. */
  readonly DATA_DIR: string;
  /** The Neo4j server of the data. Undefined: the stores are embedded. */
  readonly neo4j: Neo4jSettings | undefined;
}

/**
 * Creates the stores of records of all tenants. It opens nothing yet. A process that checks the stores when it starts calls
 * `ping`, which throws `STORE_UNAVAILABLE` if they cannot be used and `CONFIGURATION` if they refuse a setting or a newer
 * holdfast wrote them.
 */
export function createRecordStores({ DATA_DIR, neo4j }: RecordStoresSettings): RecordStores {
  if (neo4j !== undefined) return createNeo4jRecordStores({ neo4j });
  return createSqliteRecordStores({ folder: DATA_DIR });
}
