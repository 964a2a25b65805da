import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Keeps every other connection from writing to the data store of a folder until the returned function is called. */
export function holdWriteLock(dataDir: string): () => void {
  const database = new Database(join(dataDir, 'holdfast.db'), { fileMustExist: true });
  database.exec('BEGIN IMMEDIATE');
  return () => {
    if (!database.open) return;
    database.exec('ROLLBACK');
    database.close();
  };
}
