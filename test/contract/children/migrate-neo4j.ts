import type { Neo4jSettings } from '../../../src/stores/neo4j/settings';
import { Neo4jConnection } from '../../../src/stores/neo4j/connection';
import { migrate } from '../../../src/stores/neo4j/migrate';
import { childMain } from '../support/child-main';

interface MigrateArgument {
  readonly settings: Neo4jSettings;
  readonly migrations: number;
}

/** Migrates a database while other processes migrate it too; each migration leaves a node. */
childMain(async (argument, gate) => {
  const { settings, migrations } = argument as MigrateArgument;
  const list = Array.from({ length: migrations }, (_, index) => ({
    name: `migration ${index}`,
    statements: [
      `CREATE CONSTRAINT made_by_${index} IF NOT EXISTS FOR (made:Made${index}) REQUIRE made.key IS UNIQUE`,
      `CREATE (:Log {migration: ${index}})`,
    ],
  }));
  const connection = new Neo4jConnection(settings);
  await gate();
  await migrate(connection, list);
  const version = await connection.transact(async (statements) => {
    const [row] = await statements.run('MATCH (schema:HoldfastSchema) RETURN schema.version AS version');
    return { commit: false, value: row?.['version'] };
  });
  await connection.close();
  return version;
});
