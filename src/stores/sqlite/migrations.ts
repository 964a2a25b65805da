import type { Migration } from './migrate';

/**
 * The schema of the service's database file, in the order of its migrations. A released migration is never changed, moved or
 * removed.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'documents',
    up: (database) => {
      // The table has no rowid, because documents are found by their key only and one tree is cheaper to write than two.
      database.exec(`
        CREATE TABLE documents (
          collection TEXT NOT NULL,
          key BLOB NOT NULL,
          value TEXT NOT NULL,
          version INTEGER NOT NULL,
          expires_at INTEGER,
          PRIMARY KEY (collection, key)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX documents_by_expiry ON documents (expires_at) WHERE expires_at IS NOT NULL;
      `);
    },
  },
];
