import { HoldfastError } from '../../base/errors';
import type { SqliteDatabase } from './database';

export interface Migration {
  /** Says what it brings, for errors and readers. */
  readonly name: string;
  /** Changes the schema; runs inside a transaction and must not end it. */
  up(database: SqliteDatabase): void;
}

/**
 * Brings a database to the newest schema. The file's `user_version` is the number of migrations it has had, so
 * a list only ever grows at its end. Each migration is one transaction that looks at the version again once it
 * has the file's one write lock: of several processes starting together one does it and the others find it done.
 *
 * Throws `CONFIGURATION` when the file was written by newer code, and SQLite's own errors.
 */
export function migrate(database: SqliteDatabase, migrations: readonly Migration[]): void {
  while (schemaVersion(database) !== migrations.length) {
    const step = database.transaction(() => {
      const version = schemaVersion(database);
      if (version > migrations.length) throw newerThanCode(database.name, version, migrations.length);
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

function newerThanCode(path: string, found: number, known: number): HoldfastError {
  return new HoldfastError(
    'CONFIGURATION',
    `The database ${path} has schema version ${found}, and this holdfast knows versions up to ${known}: ` +
      'it was written by a newer holdfast. Start that one, or set DATA_DIR to another folder',
  );
}
