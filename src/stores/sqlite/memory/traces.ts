import type { SqliteDatabase } from '../database';

/**
 * Writes the file anew, without the traces of what was deleted: SQLite overwrites that, but not the copies it left when it
 * moved rows from page to page. Others can read meanwhile, and not write.
 */
export function rewrite(database: SqliteDatabase): void {
  database.exec(`INSERT INTO memory_text (memory_text) VALUES ('optimize')`);
  database.exec('VACUUM');
}

/**
 * Brings everything into the database file itself and empties its log, where deleted text would stay.
 * Throws what counts as busy while another connection reads the log.
 */
export function emptyLog(database: SqliteDatabase): void {
  const [{ busy }] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
  if (busy === 1) throw Object.assign(new Error('the log is being read'), { code: 'SQLITE_BUSY' });
}
