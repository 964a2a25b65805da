import type { Statement } from 'better-sqlite3';
import { type ListOptions, MAX_LIST_LIMIT, type StoredDocument } from '../documents';
import { checkKey } from '../keys';
import type { PreparedWrite } from '../prepared-writes';
import type { SqliteDatabase } from './database';
import { keyFromBytes, keyToBytes } from './key-bytes';

interface DocumentRow {
  readonly value: string;
  readonly version: number;
}

interface KeyedDocumentRow extends DocumentRow {
  readonly key: Buffer;
}

/** A write whose key has the form that the table stores. */
type KeyedWrite = Omit<PreparedWrite, 'key'> & { readonly key: Buffer };

/** The statements of the document table on one connection. All methods block, and throw SQLite's errors. */
export class DocumentStatements {
  readonly #get: Statement<[string, Buffer], DocumentRow>;
  readonly #version: Statement<[string, Buffer], number>;
  readonly #list: Statement<[string, Buffer, number], KeyedDocumentRow>;
  readonly #put: Statement<[string, Buffer, string, number | null]>;
  readonly #delete: Statement<[string, Buffer]>;
  readonly #removeExpired: Statement<[number, number]>;
  readonly #ping: Statement<[]>;
  readonly #readAll: (collection: string, keys: readonly string[]) => Map<string, StoredDocument>;

  constructor(database: SqliteDatabase) {
    this.#get = database.prepare('SELECT value, version FROM documents WHERE collection = ? AND key = ?');
    this.#version = database
      .prepare<[string, Buffer], number>('SELECT version FROM documents WHERE collection = ? AND key = ?')
      .pluck();
    this.#list = database.prepare(
      'SELECT key, value, version FROM documents WHERE collection = ? AND key > ? ORDER BY key LIMIT ?',
    );
    this.#put = database.prepare(
      `INSERT INTO documents (collection, key, value, version, expires_at) VALUES (?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value, version = version + 1, expires_at = excluded.expires_at`,
    );
    this.#delete = database.prepare('DELETE FROM documents WHERE collection = ? AND key = ?');
    this.#removeExpired = database.prepare(
      `DELETE FROM documents WHERE (collection, key) IN
         (SELECT collection, key FROM documents WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    );
    this.#ping = database.prepare('SELECT 1 FROM documents LIMIT 1');
    this.#readAll = database.transaction((collection: string, keys: readonly string[]) => {
      const documents = new Map<string, StoredDocument>();
      for (const key of keys) {
        const document = this.get(collection, key);
        if (document !== undefined) documents.set(key, document);
      }
      return documents;
    });
  }

  get(collection: string, key: string): StoredDocument | undefined {
    checkKey(key);
    const row = this.#get.get(collection, keyToBytes(key));
    return row === undefined ? undefined : toDocument(key, row);
  }

  /** Reads documents in one snapshot. */
  getMany(collection: string, keys: readonly string[]): Map<string, StoredDocument> {
    return this.#readAll(collection, keys);
  }

  list(collection: string, { after = '', limit = MAX_LIST_LIMIT }: ListOptions): StoredDocument[] {
    // SQLite treats a negative limit as no limit.
    const rowLimit = Math.max(0, Math.min(Math.floor(limit), MAX_LIST_LIMIT));
    return this.#list
      .all(collection, keyToBytes(after), rowLimit)
      .map((row) => toDocument(keyFromBytes(row.key), row));
  }

  /**
   * Applies a batch as a whole, if all its versions match. The caller runs it in a transaction that has the write lock from its
   * start; otherwise another writer could change a version after it was read.
   */
  write(writes: readonly PreparedWrite[]): boolean {
    const keyed = writes.map((write) => ({ ...write, key: keyToBytes(write.key) }));
    // All versions are checked before the first write, so that there is nothing to roll back if one does not match.
    if (!keyed.every((write) => this.#versionMatches(write))) return false;
    for (const write of keyed) this.#apply(write);
    return true;
  }

  removeExpired(now: number, limit: number): number {
    return this.#removeExpired.run(now, Math.max(0, Math.floor(limit))).changes;
  }

  ping(): void {
    this.#ping.get();
  }

  #versionMatches(write: KeyedWrite): boolean {
    if (write.ifVersion === undefined) return true;
    return (this.#version.get(write.collection, write.key) ?? 0) === write.ifVersion;
  }

  #apply({ collection, key, value, expiresAt }: KeyedWrite): void {
    if (value === undefined) this.#delete.run(collection, key);
    else this.#put.run(collection, key, value, expiresAt);
  }
}

function toDocument(key: string, row: DocumentRow): StoredDocument {
  return { key, value: JSON.parse(row.value) as unknown, version: row.version };
}
