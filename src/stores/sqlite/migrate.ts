import { HoldfastError } from '../../base/errors';
import type { SqliteDatabase } from './database';

export interface Migration {
  /** Names what the migration adds, for readers. */
  readonly name: string;
  /** Changes the schema. It runs inside a transaction and must not end it. */
  up(database: SqliteDatabase): void;
}

/**
 * Migrates a database to the newest schema. The file's `user_version` is the number of migrations that were applied, so new
 * ones are only added at the end of the list. Each migration is one transaction that reads the version again once it has the
 * write lock of the file: when several processes start together, one migrates and the others then find the newest schema.
 *
 * Throws `CONFIGURATION` if newer code wrote the file, unless `mayBeNewer` is set, and SQLite's errors.
 * @param mayBeNewer set for a process that used the file before newer code migrated it: a migration only adds to a schema
 */
export function migrate(
  database: SqliteDatabase,
  migrations: readonly Migration[],
  { mayBeNewer = false }: { readonly mayBeNewer?: boolean } = {},
): void {
  while (schemaVersion(database) !== migrations.length) {
    if (mayBeNewer && schemaVersion(database) > migrations.length) return;
    const step = database.transaction(() => {
      const version = schemaVersion(database);
      if (version > migrations.length) throw newerSchemaError(database.name, version, migrations.length);
      const migration = migrations[version];
      if (migration === undefined) return;
      migration.up(database);
      database.pragma(`user_version = ${version + 1}`);
    });
    step.exclusive();
  }
}

function schemaVersion(database: SqliteDatabase): number {
  return Number(database.pragma('user_version', { simple: true }));
}

function newerSchemaError(path: string, version: number, known: number): HoldfastError {
  return new HoldfastError(
    'CONFIGURATION',
    `The database ${path} has schema version ${version}, and this holdfast knows versions up to ${known}: ` +
      'it was written by a newer holdfast. Start that one, or set DATA_DIR to another folder',
  );
}
