import Database from 'better-sqlite3';
import { HoldfastError } from '../../base/errors';

/** As many pages as there are: in one step they are of one moment, and no writer makes it begin again. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a database that others may be writing to, as it is at one moment of the copying, pages unchanged. Writers wait
 * for nothing. Blocks this thread while it copies.
 * @throws SQLite's errors
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const database = new Database(from, { fileMustExist: true });
  try {
    await database.backup(to, { progress: () => ALL_PAGES });
  } finally {
    database.close();
  }
}

/**
 * Looks for damage in a database that nobody uses.
 * @throws HoldfastError `CONFIGURATION` where there is some
 */
export function checkDatabase(path: string): void {
  const database = new Database(path, { fileMustExist: true });
  try {
    const found = database.pragma('quick_check(1)', { simple: true });
    if (found !== 'ok') throw new HoldfastError('CONFIGURATION', `${path} is damaged: ${String(found)}`);
  } finally {
    database.close();
  }
}
