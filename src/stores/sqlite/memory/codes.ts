import type { Statement } from 'better-sqlite3';
import type { SqliteDatabase } from '../database';
import { CHUNK_SLOTS, CodeChunk } from './code-chunk';
import type { MemoryRow } from './rows';
import { signCode } from './sign-code';

/** What of a memory stands beside its code. */
export type CodeOwner = Pick<MemoryRow, 'key' | 'owner' | 'kind' | 'session' | 'timestamp' | 'weight'>;

export interface ChunkRow {
  readonly key: number;
  readonly used: number;
  readonly slots: Buffer;
  readonly codeBytes: number;
}

export const CHUNK_COLUMNS = 'key, used, slots, code_bytes AS codeBytes';

/**
 * The codes of vectors in chunks, so that a search reads a row for every few hundred of them. A chunk is overwritten
 * in place: as long as its size stays, SQLite writes only the pages that changed. All methods run within the
 * transaction of a change.
 */
export class Codes {
  readonly #get: Statement<[number], ChunkRow>;
  readonly #unfilled: Statement<[{ space: number; owner: number; kind: number }], ChunkRow>;
  readonly #insert: Statement<[Omit<ChunkRow, 'key'> & { space: number; owner: number; kind: number }]>;
  readonly #update: Statement<[Pick<ChunkRow, 'key' | 'used' | 'slots'>]>;
  readonly #remove: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    this.#get = database.prepare(`SELECT ${CHUNK_COLUMNS} FROM code_chunks WHERE key = ?`);
    this.#unfilled = database.prepare(
      `SELECT ${CHUNK_COLUMNS} FROM code_chunks
         WHERE space = @space AND owner = @owner AND kind = @kind AND used < ${CHUNK_SLOTS}
         ORDER BY used DESC LIMIT 1`,
    );
    this.#insert = database.prepare(
      `INSERT INTO code_chunks (space, owner, kind, used, code_bytes, slots)
         VALUES (@space, @owner, @kind, @used, @codeBytes, @slots)`,
    );
    this.#update = database.prepare('UPDATE code_chunks SET used = @used, slots = @slots WHERE key = @key');
    this.#remove = database.prepare('DELETE FROM code_chunks WHERE key = ?');
  }

  /** @returns the chunk it is in from now on */
  add(memory: CodeOwner, space: number, values: Float32Array): number {
    const { owner, kind } = memory;
    const code = signCode(values);
    const row = this.#unfilled.get({ space, owner, kind });
    const chunk = row === undefined ? CodeChunk.empty(code.length) : toChunk(row);
    const { key, session, timestamp, weight } = memory;
    chunk.add({ memory: key, session: session ?? 0, timestamp, weight }, code);
    const { used, bytes: slots } = chunk;
    if (row !== undefined) {
      this.#update.run({ key: row.key, used, slots });
      return row.key;
    }
    return Number(
      this.#insert.run({ space, owner, kind, used, slots, codeBytes: code.length }).lastInsertRowid,
    );
  }

  remove(memory: number, chunkKey: number): void {
    const chunk = this.#chunk(chunkKey);
    chunk.remove(memory);
    if (chunk.used === 0) this.#remove.run(chunkKey);
    else this.#update.run({ key: chunkKey, used: chunk.used, slots: chunk.bytes });
  }

  setWeight(memory: number, chunkKey: number, weight: number): void {
    const chunk = this.#chunk(chunkKey);
    chunk.setWeight(memory, weight);
    this.#update.run({ key: chunkKey, used: chunk.used, slots: chunk.bytes });
  }

  #chunk(key: number): CodeChunk {
    return toChunk(this.#get.get(key) as ChunkRow);
  }
}

export function toChunk({ slots, used, codeBytes }: ChunkRow): CodeChunk {
  return new CodeChunk(slots, used, codeBytes);
}
