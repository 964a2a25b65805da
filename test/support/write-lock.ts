import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Prevents writes of other connections to a data store of a folder until the returned function is called. */
export function holdWriteLock(dataDir: string, file = 'holdfast.db'): () => void {
  const database = new Database(join(dataDir, file), { fileMustExist: true });
  database.exec('BEGIN IMMEDIATE');
  return () => {
    if (!database.open) return;
    database.exec('ROLLBACK');
    database.close();
  };
}
