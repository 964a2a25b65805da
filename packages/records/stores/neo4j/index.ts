import type { RecordStores } from '../record-stores';
import type { Neo4jSettings } from '../../../../src/stores/neo4j/settings';
import { Neo4jDatabase } from '../../../../src/stores/neo4j/database';
import { Neo4jRecordStore } from './neo4j-record-store';

/**
 * Creates the stores of records on a Neo4j server; all tenants share its connections. It connects at the first operation. A
 * process that checks the server when it starts calls `ping`, which throws `STORE_UNAVAILABLE` if the server cannot be reached
 * and `CONFIGURATION` if it refuses a setting or a newer holdfast wrote the database.
 */
export function createNeo4jRecordStores({ neo4j }: { readonly neo4j: Neo4jSettings }): RecordStores {
  const database = new Neo4jDatabase(neo4j);
  return {
    of: (tenant) => new Neo4jRecordStore(database, tenant),
    ping: async () => {
      await database.transact(async (statements) => ({
        commit: false,
        value: await statements.run('RETURN 1'),
      }));
    },
    close: () => database.close(),
  };
}
