import type {
  DocumentStore,
  DocumentWrite,
  Durability,
  ListOptions,
  StoredDocument,
  WriteOptions,
} from '../documents';
import { prepareWrites } from '../prepared-writes';
import { ChangeQueue } from './change-queue';
import { DocumentStatements } from './document-statements';
import { SqliteFile } from './sqlite-file';
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

export interface SqliteDocumentsOptions {
  /** The database file. It is created with its folder if it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another connection's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
}

/**
 * Documents in one SQLite file. A read blocks the event loop for about 10 µs. Writes of one durability that wait together share a
 * transaction, and a `full` one blocks for one fsync.
 */
export class SqliteDocuments implements DocumentStore {
  readonly #file: SqliteFile<DocumentStatements>;
  readonly #changes: Readonly<Record<Durability, ChangeQueue<DocumentStatements>>>;

  constructor({ path, busyTimeoutMs }: SqliteDocumentsOptions) {
    this.#file = new SqliteFile({
      path,
      busyTimeoutMs,
      migrations: MIGRATIONS,
      prepare: (database) => new DocumentStatements(database),
    });
    this.#changes = {
      full: new ChangeQueue(this.#file),
      process: new ChangeQueue(this.#file, { synchronous: 'NORMAL' }),
    };
  }

  get<T>(collection: string, key: string): Promise<StoredDocument<T> | undefined> {
    return this.#file.read((documents) => documents.get(collection, key) as StoredDocument<T> | undefined);
  }

  getEach<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>> {
    return this.getMany(collection, keys);
  }

  getMany<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>> {
    return this.#file.read(
      (documents) => documents.getMany(collection, keys) as Map<string, StoredDocument<T>>,
    );
  }

  list<T>(collection: string, options: ListOptions = {}): Promise<StoredDocument<T>[]> {
    return this.#file.read((documents) => documents.list(collection, options) as StoredDocument<T>[]);
  }

  async write(
    writes: readonly DocumentWrite[],
    { durability = 'full' }: WriteOptions = {},
  ): Promise<boolean> {
    const prepared = prepareWrites(writes);
    return this.#changes[durability].add((documents) => documents.write(prepared));
  }

  removeExpired(now: number, limit: number): Promise<number> {
    // If a power cut undoes the removal, the next one removes the documents again.
    return this.#changes.process.add((documents) => documents.removeExpired(now, limit));
  }

  ping(): Promise<void> {
    return this.#file.write((documents) => documents.ping());
  }

  close(): Promise<void> {
    this.#file.close();
    return Promise.resolve();
  }
}
