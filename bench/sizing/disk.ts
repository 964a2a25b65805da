import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Bytes of a database's pages in use, those still in its write-ahead log included; 0 where there is no file. */
export function databaseBytes(path: string): number {
  if (!existsSync(path)) return 0;
  const database = new Database(path, { readonly: true, timeout: 10_000 });
  try {
    const number = (name: string): number => Number(database.pragma(name, { simple: true }));
    return (number('page_count') - number('freelist_count')) * number('page_size');
  } finally {
    database.close();
  }
}

/** Bytes of all files below a folder; 0 where there is none. */
export function folderBytes(path: string): number {
  if (!existsSync(path)) return 0;
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
