import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, type OpenDatabaseOptions, type SqliteDatabase } from './database';
import { isBusy } from '../../base/sqlite-codes';
import { toStoreError } from './errors';
import { migrate, type Migration } from './migrate';
import type { OpenFiles } from './open-files';
import { storeClosed } from '../until-available';

export type Synchronous = NonNullable<OpenDatabaseOptions['synchronous']>;

export interface SqliteFileOptions<C> {
  /** The database file. It is created with its folder if it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another connection's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
  readonly migrations: readonly Migration[];
  /** Prepares the statements that operations use on a connection. It is called after the schema was migrated. */
  readonly prepare: (database: SqliteDatabase) => C;
  /** Runs on each new connection, before everything else. */
  readonly onOpen?: (database: SqliteDatabase) => void;
  /** The maximum pause between two attempts to get a lock that another connection holds, milliseconds. Default 20. */
  readonly maxPauseMs?: number;
  /** Whether to throw if the file does not exist, instead of creating it. Default false. */
  readonly mustExist?: boolean;
  /**
   * Whether the first opening accepts a schema that newer code made, because this process has checked the schema elsewhere.
   * Later openings accept it always. Default false.
   */
  readonly mayBeNewer?: boolean;
  /** Limits how many files are open, this one among them. Absent: the file stays open until it is closed. */
  readonly openFiles?: OpenFiles | undefined;
}

interface Connection<C> {
  readonly database: SqliteDatabase;
  readonly prepared: C;
}

const DEFAULT_MAX_PAUSE_MS = 20;

/**
 * One SQLite file that several processes share.
 *
 * Statements block the thread while they run, but waiting for a lock does not: SQLite's own timeout is off, and an operation
 * that finds the file locked is repeated after a pause.
 *
 * The first operation opens the file, and the next one after a failure opens it again. The file is created only the first time:
 * if it disappears later, operations throw `STORE_UNAVAILABLE` and never create an empty file in its place. A file that newer
 * code migrates while this process uses it stays usable.
 */
export class SqliteFile<C> {
  readonly #options: SqliteFileOptions<C>;
  readonly #connections = new Map<Synchronous, Connection<C>>();
  #openedFile: { readonly device: number; readonly inode: number } | undefined;
  #closed = false;

  constructor(options: SqliteFileOptions<C>) {
    this.#options = options;
  }

  /** Runs an operation that only reads. It may read from a file that was just deleted or replaced. */
  read<T>(operation: (prepared: C) => T): Promise<T> {
    return this.#run(() => operation(this.#connection('FULL').prepared));
  }

  /** Runs an operation after a check that the open file is still the one at its path. */
  write<T>(
    operation: (prepared: C, database: SqliteDatabase) => T,
    synchronous: Synchronous = 'FULL',
  ): Promise<T> {
    return this.#run(() => {
      this.#dropIfFileChanged();
      const { prepared, database } = this.#connection(synchronous);
      return operation(prepared, database);
    });
  }

  /** Closes the connections until the next operation. An operation uses a connection in one go, so none is using them now. */
  release(): void {
    this.#drop();
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
        if (!busy || left <= 0) throw this.#toError(error, busy);
        await pause(Math.min(left, 1 + Math.random() * Math.min(2 * attempt, maxPauseMs)));
      }
    }
  }

  #toError(error: unknown, busy: boolean): unknown {
    const failure = toStoreError(error, this.#options.path);
    // A connection that had a failure of the disk or the file is not used again.
    if (failure !== error && !busy) this.#drop();
    return failure;
  }

  #connection(synchronous: Synchronous): Connection<C> {
    this.#options.openFiles?.use(this);
    return this.#connections.get(synchronous) ?? this.#connect(synchronous);
  }

  #connect(synchronous: Synchronous): Connection<C> {
    const { path, migrations, prepare, onOpen, mustExist = false, mayBeNewer = false } = this.#options;
    const wasOpened = this.#openedFile !== undefined;
    const database = openDatabase(path, {
      busyTimeoutMs: 0,
      synchronous,
      mustExist: mustExist || wasOpened,
    });
    try {
      onOpen?.(database);
      migrate(database, migrations, { mayBeNewer: mayBeNewer || wasOpened });
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
   * Closes the connections if the file was deleted or replaced. A connection would keep writing to the old file, and all that
   * it acknowledged would be lost with the process. So each write checks the file first, which takes 3 µs.
   */
  #dropIfFileChanged(): void {
    const opened = this.#openedFile;
    if (opened === undefined || this.#connections.size === 0) return;
    const stats = statSync(this.#options.path, { throwIfNoEntry: false });
    if (stats?.ino !== opened.inode || stats.dev !== opened.device) this.#drop();
  }

  #drop(): void {
    const connections = [...this.#connections.values()];
    this.#connections.clear();
    for (const { database } of connections) {
      try {
        database.close();
      } catch {
        // The file cannot be accessed. The operation that detected this reports it.
      }
    }
  }
}
