import { HoldfastError } from '../../base/errors';
import type { Neo4jConnection, Statements } from './connection';
import type { Migration } from './migrations';

/** The server may take long to build an index over existing data. */
const LIMIT_MS = 60_000;

const CREATE_LOCK = `CREATE CONSTRAINT holdfast_schema_by_name IF NOT EXISTS
  FOR (schema:HoldfastSchema) REQUIRE schema.name IS UNIQUE`;
const LOCK = `MERGE (schema:HoldfastSchema {name: 'holdfast'}) SET schema.lock = true`;
const READ = `MATCH (schema:HoldfastSchema {name: 'holdfast'}) RETURN schema.version AS version`;
const RAISE = `MATCH (schema:HoldfastSchema {name: 'holdfast'}) SET schema.version = toInteger($version)`;
const AWAIT_INDEXES = 'CALL db.awaitIndexes()';

/**
 * Migrates a database to the newest schema. A node stores the number of migrations that were applied, so new ones are only
 * added at the end of the list. This process locks that node while it migrates: when several processes start together, one
 * migrates and the others then find the newest schema.
 *
 * Throws `CONFIGURATION` if newer code wrote the database, unless `mayBeNewer` is set, and what `Neo4jConnection.transact`
 * throws.
 * @param mayBeNewer set for a process that used the database before newer code migrated it: a migration only adds to a schema
 */
export async function migrate(
  connection: Neo4jConnection,
  migrations: readonly Migration[],
  { mayBeNewer = false }: { readonly mayBeNewer?: boolean } = {},
): Promise<void> {
  const newest = migrations.length;
  const presentVersion = await connection.transact(async (statements) => ({
    commit: false,
    value: await schemaVersion(statements),
  }));
  if (mayBeNewer && presentVersion > newest) return;
  if (isNewest(presentVersion, newest)) return;
  await change(connection, CREATE_LOCK);
  await connection.transact(async (lock) => {
    await lock.run(LOCK);
    const version = await schemaVersion(lock);
    if (isNewest(version, newest)) return { commit: false, value: undefined };
    for (const { statements } of migrations.slice(version)) {
      for (const statement of statements) await change(connection, statement);
    }
    await lock.run(AWAIT_INDEXES);
    await lock.run(RAISE, { version: newest });
    return { commit: true, value: undefined };
  }, LIMIT_MS);
}

/** Runs a statement in a separate transaction, because one transaction of Neo4j changes either the schema or data. */
async function change(connection: Neo4jConnection, statement: string): Promise<void> {
  await connection.transact(async (statements) => {
    await statements.run(statement);
    return { commit: true, value: undefined };
  }, LIMIT_MS);
}

/** Reads the number of applied migrations; 0 for a database that holdfast never used. */
async function schemaVersion(statements: Statements): Promise<number> {
  const [row] = await statements.run(READ);
  return Number(row?.['version'] ?? 0);
}

function isNewest(version: number, newest: number): boolean {
  if (version <= newest) return version === newest;
  throw new HoldfastError(
    'CONFIGURATION',
    `The Neo4j database has schema version ${version}, and this holdfast knows versions up to ${newest}: it was ` +
      'written by a newer holdfast. Start that one, or set NEO4J_URI or NEO4J_DATABASE to another database',
  );
}
