import type { Statement } from 'better-sqlite3';
import type { SqliteDatabase } from '../database';
import { CHUNK_COLUMNS, toChunk } from './codes';
import type { ChunkRow } from './codes';

/**
 * Takes away what vector spaces that were dropped left. A chunk of codes goes together with the vectors whose codes it
 * has: at every moment what a vector says of its code is true, as memories are changed, deleted and erased meanwhile.
 */
export class DroppedSpaces {
  readonly #some: Statement<[], number>;
  readonly #chunk: Statement<[number], ChunkRow>;
  readonly #removeChunk: Statement<[number]>;
  readonly #removeVector: Statement<[number, number]>;
  readonly #removeReleased: Statement<[number, number]>;
  readonly #remove: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    this.#some = database.prepare<[], number>(`SELECT id FROM spaces WHERE role = 'dropped' LIMIT 1`).pluck();
    this.#chunk = database.prepare(`SELECT ${CHUNK_COLUMNS} FROM code_chunks WHERE space = ? LIMIT 1`);
    this.#removeChunk = database.prepare('DELETE FROM code_chunks WHERE key = ?');
    this.#removeVector = database.prepare('DELETE FROM vectors WHERE memory = ? AND space = ?');
    this.#removeReleased = database.prepare(
      'DELETE FROM vectors WHERE key IN (SELECT key FROM vectors WHERE space = ? LIMIT ?)',
    );
    this.#remove = database.prepare('DELETE FROM spaces WHERE id = ?');
  }

  exist(): boolean {
    return this.#some.get() !== undefined;
  }

  /**
   * Within a transaction: takes away about `limit` vectors with their codes, a chunk more at most.
   * @returns whether there may be more
   */
  removeSome(limit: number): boolean {
    const id = this.#some.get();
    if (id === undefined) return false;
    let removed = 0;
    while (removed < limit) {
      const row = this.#chunk.get(id);
      if (row === undefined) break;
      for (const memory of toChunk(row).memories()) this.#removeVector.run(memory, id);
      this.#removeChunk.run(row.key);
      removed += row.used;
    }
    // Where no code is left: those that were released to an index elsewhere.
    if (removed === 0) removed = this.#removeReleased.run(id, limit).changes;
    if (removed === 0) this.#remove.run(id);
    return true;
  }
}
