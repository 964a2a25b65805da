import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  DocumentStore,
  DocumentWrite,
  Durability,
  ListOptions,
  StoredDocument,
  WriteOptions,
} from '../documents';
import { storeClosed } from '../unavailable';
import { openDatabase } from './database';
import { DocumentStatements } from './document-statements';
import { isBusy, toStoreError } from './errors';
import { migrate } from './migrate';
import { MIGRATIONS } from './migrations';

export interface SqliteDocumentsOptions {
  /** The database file; made with its folder where there is none. */
  readonly path: string;
  /** How long an operation waits for another connection's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
}

const LONGEST_PAUSE_MS = 20;

/**
 * Documents in one SQLite file that several processes share.
 *
 * Statements block the event loop for as long as they run (a read about 10 µs, a `full` write one fsync), but
 * waiting for a lock does not: SQLite's own timeout is off, and what is busy is tried again after a pause.
 *
 * The file is opened by the first operation and again after a failure. It is made only the first time: if it
 * is gone later, the store says that it is unavailable and never starts an empty one in its place.
 */
export class SqliteDocuments implements DocumentStore {
  readonly #path: string;
  readonly #busyTimeoutMs: number;
  readonly #connections = new Map<Durability, DocumentStatements>();
  #openedFile: { readonly device: number; readonly inode: number } | undefined;
  #closed = false;

  constructor(options: SqliteDocumentsOptions) {
    this.#path = options.path;
    this.#busyTimeoutMs = options.busyTimeoutMs;
  }

  get<T>(collection: string, key: string): Promise<StoredDocument<T> | undefined> {
    return this.#run(() => this.#connection('full').get(collection, key) as StoredDocument<T> | undefined);
  }

  getMany<T>(collection: string, keys: readonly string[]): Promise<Map<string, StoredDocument<T>>> {
    return this.#run(
      () => this.#connection('full').getMany(collection, keys) as Map<string, StoredDocument<T>>,
    );
  }

  list<T>(collection: string, options: ListOptions = {}): Promise<StoredDocument<T>[]> {
    return this.#run(() => this.#connection('full').list(collection, options) as StoredDocument<T>[]);
  }

  write(writes: readonly DocumentWrite[], { durability = 'full' }: WriteOptions = {}): Promise<boolean> {
    return this.#run(() => {
      this.#dropIfFileChanged();
      return this.#connection(durability).write(writes);
    });
  }

  removeExpired(now: number, limit: number): Promise<number> {
    return this.#run(() => {
      this.#dropIfFileChanged();
      // A removal that a power cut undoes is simply done again.
      return this.#connection('process').removeExpired(now, limit);
    });
  }

  ping(): Promise<void> {
    return this.#run(() => {
      this.#dropIfFileChanged();
      this.#connection('full').ping();
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#drop();
    return Promise.resolve();
  }

  async #run<T>(operation: () => T): Promise<T> {
    const deadline = performance.now() + this.#busyTimeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#closed) throw storeClosed();
      try {
        return operation();
      } catch (error) {
        const busy = isBusy(error);
        const left = deadline - performance.now();
        if (!busy || left <= 0) throw this.#failed(error, busy);
        await pause(Math.min(left, 1 + Math.random() * Math.min(2 * attempt, LONGEST_PAUSE_MS)));
      }
    }
  }

  #failed(error: unknown, busy: boolean): unknown {
    const failure = toStoreError(error, this.#path);
    // A connection that met a broken disk or file is not trusted again.
    if (failure !== error && !busy) this.#drop();
    return failure;
  }

  #connection(durability: Durability): DocumentStatements {
    return this.#connections.get(durability) ?? this.#connect(durability);
  }

  #connect(durability: Durability): DocumentStatements {
    const database = openDatabase(this.#path, {
      busyTimeoutMs: 0,
      synchronous: durability === 'full' ? 'FULL' : 'NORMAL',
      mustExist: this.#openedFile !== undefined,
    });
    try {
      migrate(database, MIGRATIONS);
      const connection = new DocumentStatements(database);
      const { dev: device, ino: inode } = statSync(this.#path);
      this.#openedFile = { device, inode };
      this.#connections.set(durability, connection);
      return connection;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * A connection goes on writing to a file that was deleted or replaced, and all it acknowledges is lost with
   * the process. So the file is looked at (3 µs) before each write.
   */
  #dropIfFileChanged(): void {
    const opened = this.#openedFile;
    if (opened === undefined || this.#connections.size === 0) return;
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (found?.ino !== opened.inode || found.dev !== opened.device) this.#drop();
  }

  #drop(): void {
    const connections = [...this.#connections.values()];
    this.#connections.clear();
    for (const connection of connections) {
      try {
        connection.close();
      } catch {
        // The file is beyond reach, which the operation that found out reports.
      }
    }
  }
}
