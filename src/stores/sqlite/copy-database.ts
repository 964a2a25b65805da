import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { HoldfastError } from '../../base/errors';

/** The backup copies all pages in one step, so that they are of one moment and no writer makes the backup begin again. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a database to which other processes may write. The copy has the unchanged pages of one moment during the copying.
 * Writers do not wait for it. Only the owner may read the copy. Blocks this thread until the copy is complete. Throws errors of
 * SQLite and of Node, also if a file of this name exists.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const database = new Database(from, { fileMustExist: true });
  try {
    // SQLite would give a new file the usual mode.
    closeSync(openSync(to, 'wx', 0o600));
    await database.backup(to, { progress: () => ALL_PAGES });
  } finally {
    database.close();
  }
}

/**
 * Checks a database that no process uses for damage.
 * @throws HoldfastError `CONFIGURATION` if the database is damaged
 */
export function checkDatabase(path: string): void {
  const database = new Database(path, { fileMustExist: true });
  try {
    const result = database.pragma('quick_check(1)', { simple: true });
    if (result !== 'ok') throw new HoldfastError('CONFIGURATION', `${path} is damaged: ${String(result)}`);
  } finally {
    database.close();
  }
}
