import type { Migration } from './migrate';

/**
 * The schema of the service's database file, in the order it grew. A migration that was released is never
 * changed, moved or taken out.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'documents',
    up: (database) => {
      // No rowid: a document is found by its key alone, and one tree is cheaper to write than two.
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
