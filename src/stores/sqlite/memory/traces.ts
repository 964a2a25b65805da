import type { SqliteDatabase } from '../database';

/**
 * Rewrites the file, without the traces of deleted data. SQLite overwrites deleted rows, but not the copies that it left when it
 * moved rows from page to page. Meanwhile other connections can read, but not write.
 */
export function rewrite(database: SqliteDatabase): void {
  database.exec(`INSERT INTO memory_text (memory_text) VALUES ('optimize')`);
  database.exec('VACUUM');
}

/**
 * Writes the log to the database file and empties it, because deleted text would stay in the log.
 * Throws an error that counts as busy while another connection reads the log.
 */
export function emptyLog(database: SqliteDatabase): void {
  const [{ busy }] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
  if (busy === 1) throw Object.assign(new Error('the log is being read'), { code: 'SQLITE_BUSY' });
}
