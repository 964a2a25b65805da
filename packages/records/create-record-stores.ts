import type { Metrics } from '../../src/base/metrics';
import type { Neo4jSettings } from '../../src/stores/neo4j/settings';
import { createNeo4jRecordStores } from './stores/neo4j';
import { countedRecordStores, type RecordStores } from './stores/record-stores';
import { createSqliteRecordStores } from './stores/sqlite';

interface RecordStoresSettings {
  /** The folder of the embedded stores' files. It is created if it does not exist. */
  readonly DATA_DIR: string;
  /** The Neo4j server of the data. Undefined: the stores are embedded. */
  readonly neo4j: Neo4jSettings | undefined;
}

/**
 * Creates the stores of records of all tenants. It opens nothing yet. A process that checks the stores when it starts calls
 * `ping`, which throws `STORE_UNAVAILABLE` if they cannot be used and `CONFIGURATION` if they refuse a setting or a newer
 * holdfast wrote them.
 * @param metrics count the operations that fail with `STORE_UNAVAILABLE`
 */
export function createRecordStores(
  { DATA_DIR, neo4j }: RecordStoresSettings,
  metrics: Metrics,
): RecordStores {
  const stores =
    neo4j === undefined ? createSqliteRecordStores({ folder: DATA_DIR }) : createNeo4jRecordStores({ neo4j });
  return countedRecordStores(stores, metrics);
}
