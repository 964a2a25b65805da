import type { Statement } from 'better-sqlite3';
import type { SqliteDatabase } from '../database';

/**
 * Deletes the vectors of dropped spaces in steps. A code is deleted in the same step as its vector, because the deletion or
 * erasure of a memory finds the codes to delete by the memory's vectors.
 */
export class DroppedSpaces {
  readonly #some: Statement<[], number>;
  readonly #removeCodes: Statement<[number, number], number>;
  readonly #removeVector: Statement<[number, number]>;
  readonly #removeReleased: Statement<[number, number]>;
  readonly #remove: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    this.#some = database.prepare<[], number>(`SELECT id FROM spaces WHERE role = 'dropped' LIMIT 1`).pluck();
    this.#removeCodes = database
      .prepare<[number, number], number>(
        `DELETE FROM codes WHERE (space, owner, kind, memory) IN
           (SELECT space, owner, kind, memory FROM codes WHERE space = ? LIMIT ?)
         RETURNING memory`,
      )
      .pluck();
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
   * Deletes at most `limit` vectors with their codes. The caller runs it in a transaction.
   * @returns whether more vectors may be left
   */
  removeSome(limit: number): boolean {
    const id = this.#some.get();
    if (id === undefined) return false;
    const memories = this.#removeCodes.all(id, limit);
    for (const memory of memories) this.#removeVector.run(memory, id);
    let removed = memories.length;
    // When no code is left, the remaining vectors are those that were released to an outside index.
    if (removed === 0) removed = this.#removeReleased.run(id, limit).changes;
    if (removed === 0) this.#remove.run(id);
    return true;
  }
}
