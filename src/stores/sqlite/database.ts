import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { storeUnavailable } from '../unavailable';
import { isBusy } from './errors';

export type SqliteDatabase = Database.Database;

export interface OpenDatabaseOptions {
  /** How long a statement waits for another connection's lock, milliseconds. The wait blocks this thread. */
  readonly busyTimeoutMs: number;
  /**
   * FULL: a commit is on the disk when it returns. NORMAL: it survives this process, and the disk gets it at
   * the next checkpoint. Default FULL.
   */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Fail where there is no file, instead of making one. Default false. */
  readonly mustExist?: boolean;
}

/** Above this the log file is cut back after a checkpoint. */
const LOG_SIZE_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Opens a database file in WAL mode, so that readers and the one writer do not wait for each other, with
 * foreign keys on. Makes the file, readable by its owner only (SQLite gives its side files the same mode), and
 * its folder.
 *
 * Throws SQLite's and Node's own errors, which `toStoreError` turns into `STORE_UNAVAILABLE`, and
 * `STORE_UNAVAILABLE` where the file must exist and does not.
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
 * An existing file is never opened here, not even to look at it: closing any descriptor of a file drops all
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
 * The switch needs the file for itself and fails at once, timeout or not, when two connections try it
 * together. It happens once in a file's life, so a blocking wait does no harm.
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
