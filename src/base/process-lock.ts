import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { isBusy } from './sqlite-codes';

export interface ProcessLockOptions {
  /** Made when missing, with its folder; it stays empty and stays there. */
  readonly file: string;
  readonly signal: AbortSignal;
  /** Called once if another process, or another caller in this one, has the lock. */
  onWait(): void;
}

const LOOK_EVERY_MS = 250;

/**
 * Runs `work` while no other process that asks for the same file runs its own. The lock is SQLite's on the file, so the
 * system takes it back from a process that is killed. Throws the signal's reason once it is aborted.
 */
export async function withProcessLock<T>(
  { file, signal, onWait }: ProcessLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new Database(file, { timeout: 0 });
  try {
    for (let isFirst = true; !locks(database); isFirst = false) {
      if (isFirst) onWait();
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    return await work();
  } finally {
    database.close();
  }
}

function locks(database: Database.Database): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
