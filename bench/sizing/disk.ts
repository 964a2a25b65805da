import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Reads how many bytes of a database's pages are in use, with those in its write-ahead log; 0 if the file does not
 * exist.
 */
export function readDatabaseBytes(path: string): number {
  if (!existsSync(path)) return 0;
  const database = new Database(path, { readonly: true, timeout: 10_000 });
  try {
    const number = (name: string): number => Number(database.pragma(name, { simple: true }));
    return (number('page_count') - number('freelist_count')) * number('page_size');
  } finally {
    database.close();
  }
}

/** Adds up the sizes of all files below a folder, bytes; 0 if the folder does not exist. */
export function readFolderBytes(path: string): number {
  if (!existsSync(path)) return 0;
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
