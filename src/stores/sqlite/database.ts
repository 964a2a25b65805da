import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { isBusy } from '../../base/sqlite-codes';
import { storeUnavailable } from '../until-available';

export type SqliteDatabase = Database.Database;

export interface OpenDatabaseOptions {
  /** The maximum time that a statement waits for another connection's lock, milliseconds. The wait blocks this thread. */
  readonly busyTimeoutMs: number;
  /**
   * FULL: a commit is on the disk when it returns. NORMAL: a commit survives this process, and SQLite writes it to the disk at
   * the next checkpoint. Default FULL.
   */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Whether to throw if the file does not exist, instead of creating it. Default false. */
  readonly mustExist?: boolean;
}

/** SQLite truncates a larger log file to this size after a checkpoint. */
const LOG_SIZE_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Opens a database file in WAL mode, so that readers and the one writer do not wait for each other, and turns foreign keys on.
 * Creates the file and its folder if they do not exist; only the owner may read the file, and SQLite gives the files beside
 * it the same mode.
 *
 * Throws errors of SQLite and Node, which `toStoreError` turns into `STORE_UNAVAILABLE`, and `STORE_UNAVAILABLE` if the
 * file must exist and does not.
 */
export function openDatabase(path: string, options: OpenDatabaseOptions): SqliteDatabase {
  if (options.mustExist === true) requireFile(path);
  else createFile(path);
  const database = new Database(path, { timeout: options.busyTimeoutMs, fileMustExist: true });
  try {
    switchToWal(database, options.busyTimeoutMs);
    database.pragma(`synchronous = ${options.synchronous ?? 'FULL'}`);
    database.pragma('foreign_keys = ON');
    database.pragma('trusted_schema = OFF');
    database.pragma(`journal_size_limit = ${LOG_SIZE_LIMIT_BYTES}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function requireFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  throw storeUnavailable('The data store cannot be reached', path, new Error('the file is gone'));
}

/**
 * Creates the file if it does not exist. It never opens an existing file, because closing any descriptor of a file drops all
 * POSIX locks that this process, and so SQLite, has on it.
 */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Switches a file to WAL mode. The switch needs exclusive access and fails at once, whatever the timeout, when two connections
 * try it together. It happens once in the life of a file, so a blocking wait does no harm.
 */
function switchToWal(database: SqliteDatabase, busyTimeoutMs: number): void {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      if (database.pragma('journal_mode', { simple: true }) === 'wal') return;
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      blockFor(1 + Math.random() * 10);
    }
  }
}

function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
