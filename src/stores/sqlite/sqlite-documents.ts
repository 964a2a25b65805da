import type {
  DocumentStore,
  DocumentWrite,
  Durability,
  ListOptions,
  StoredDocument,
  WriteOptions,
} from '../documents';
import { DocumentStatements } from './document-statements';
import { MIGRATIONS } from './migrations';
import { SqliteFile, type Synchronous } from './sqlite-file';

export interface SqliteDocumentsOptions {
  /** The database file. It is created with its folder where it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another connection's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
}

const SYNCHRONOUS: Readonly<Record<Durability, Synchronous>> = { full: 'FULL', process: 'NORMAL' };

/** Documents in one SQLite file. A read blocks the event loop for about 10 µs, and a `full` write for one fsync. */
export class SqliteDocuments implements DocumentStore {
  readonly #file: SqliteFile<DocumentStatements>;

  constructor({ path, busyTimeoutMs }: SqliteDocumentsOptions) {
    this.#file = new SqliteFile({
      path,
      busyTimeoutMs,
      migrations: MIGRATIONS,
      prepare: (database) => new DocumentStatements(database),
    });
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

  write(writes: readonly DocumentWrite[], { durability = 'full' }: WriteOptions = {}): Promise<boolean> {
    return this.#file.write((documents) => documents.write(writes), SYNCHRONOUS[durability]);
  }

  removeExpired(now: number, limit: number): Promise<number> {
    // If a power cut undoes the removal, the next one removes the documents again.
    return this.#file.write((documents) => documents.removeExpired(now, limit), 'NORMAL');
  }

  ping(): Promise<void> {
    return this.#file.write((documents) => documents.ping());
  }

  close(): Promise<void> {
    this.#file.close();
    return Promise.resolve();
  }
}
