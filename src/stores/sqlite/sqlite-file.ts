import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { storeClosed } from '../unavailable';
import { openDatabase } from './database';
import type { OpenDatabaseOptions, SqliteDatabase } from './database';
import { isBusy, toStoreError } from './errors';
import { migrate } from './migrate';
import type { Migration } from './migrate';

export type Synchronous = NonNullable<OpenDatabaseOptions['synchronous']>;

export interface SqliteFileOptions<C> {
  /** The database file; made with its folder where there is none. */
  readonly path: string;
  /** How long an operation waits for another connection's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
  readonly migrations: readonly Migration[];
  /** Prepares what operations use on a connection; not called before the schema is the newest. */
  readonly prepare: (database: SqliteDatabase) => C;
  /** Runs on each new connection before anything else does. */
  readonly onOpen?: (database: SqliteDatabase) => void;
  /** Longest pause between two looks at a lock that another connection holds, milliseconds. Default 20. */
  readonly maxPauseMs?: number;
  /** Fail where there is no file, instead of making one. Default false. */
  readonly mustExist?: boolean;
}

interface Connection<C> {
  readonly database: SqliteDatabase;
  readonly prepared: C;
}

const DEFAULT_MAX_PAUSE_MS = 20;

/**
 * One SQLite file that several processes share.
 *
 * Statements block the thread for as long as they run, but waiting for a lock does not: SQLite's own timeout is
 * off, and what is busy is tried again after a pause.
 *
 * The file is opened by the first operation and again after a failure. It is made only the first time: if it
 * is gone later, operations throw `STORE_UNAVAILABLE` and never start an empty one in its place.
 */
export class SqliteFile<C> {
  readonly #options: SqliteFileOptions<C>;
  readonly #connections = new Map<Synchronous, Connection<C>>();
  #openedFile: { readonly device: number; readonly inode: number } | undefined;
  #closed = false;

  constructor(options: SqliteFileOptions<C>) {
    this.#options = options;
  }

  /** For reads, of which it does no harm that they come from a file that was just taken away. */
  read<T>(operation: (prepared: C) => T): Promise<T> {
    return this.#run(() => operation(this.#connection('FULL')));
  }

  /** For all that must not happen to a file that is not there any more. */
  write<T>(operation: (prepared: C) => T, synchronous: Synchronous = 'FULL'): Promise<T> {
    return this.#run(() => {
      this.#dropIfFileChanged();
      return operation(this.#connection(synchronous));
    });
  }

  /** May be called twice. Afterwards every operation throws `STORE_UNAVAILABLE`. */
  close(): void {
    this.#closed = true;
    this.#drop();
  }

  async #run<T>(operation: () => T): Promise<T> {
    const { busyTimeoutMs, maxPauseMs = DEFAULT_MAX_PAUSE_MS } = this.#options;
    const deadline = performance.now() + busyTimeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#closed) throw storeClosed();
      try {
        return operation();
      } catch (error) {
        const busy = isBusy(error);
        const left = deadline - performance.now();
        if (!busy || left <= 0) throw this.#failed(error, busy);
        await pause(Math.min(left, 1 + Math.random() * Math.min(2 * attempt, maxPauseMs)));
      }
    }
  }

  #failed(error: unknown, busy: boolean): unknown {
    const failure = toStoreError(error, this.#options.path);
    // A connection that met a broken disk or file is not trusted again.
    if (failure !== error && !busy) this.#drop();
    return failure;
  }

  #connection(synchronous: Synchronous): C {
    return (this.#connections.get(synchronous) ?? this.#connect(synchronous)).prepared;
  }

  #connect(synchronous: Synchronous): Connection<C> {
    const { path, migrations, prepare, onOpen, mustExist = false } = this.#options;
    const database = openDatabase(path, {
      busyTimeoutMs: 0,
      synchronous,
      mustExist: mustExist || this.#openedFile !== undefined,
    });
    try {
      onOpen?.(database);
      migrate(database, migrations);
      const connection = { database, prepared: prepare(database) };
      const { dev: device, ino: inode } = statSync(path);
      this.#openedFile = { device, inode };
      this.#connections.set(synchronous, connection);
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
    const found = statSync(this.#options.path, { throwIfNoEntry: false });
    if (found?.ino !== opened.inode || found.dev !== opened.device) this.#drop();
  }

  #drop(): void {
    const connections = [...this.#connections.values()];
    this.#connections.clear();
    for (const { database } of connections) {
      try {
        database.close();
      } catch {
        // The file is beyond reach, which the operation that found out reports.
      }
    }
  }
}
