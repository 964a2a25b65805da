import type { Statement } from 'better-sqlite3';
import { vectorSpaceChanged } from '../../memory/errors';
import type { VectorSpace, VectorSpaces } from '../../memory/vector-spaces';
import type { SqliteDatabase } from '../database';

export type SpaceRole = 'current' | 'next';

interface SpaceRow extends VectorSpace {
  readonly role: SpaceRole | 'dropped';
  readonly vectors: number;
}

/**
 * Vector spaces, and the number of vectors that each has. A dropped space is not used from that moment on; `dropped-spaces.ts`
 * removes its vectors later, in steps.
 */
export class Spaces {
  readonly #byRole: Statement<[SpaceRole], VectorSpace>;
  readonly #byId: Statement<[number], SpaceRow>;
  readonly #add: Statement<[string, number, SpaceRole], VectorSpace>;
  readonly #setRole: Statement<[SpaceRow['role'], number]>;
  readonly #count: Statement<[number, number]>;

  constructor(database: SqliteDatabase) {
    const columns = 'id, model, dimensions';
    this.#byRole = database.prepare(`SELECT ${columns} FROM spaces WHERE role = ? AND role <> 'dropped'`);
    this.#byId = database.prepare(`SELECT ${columns}, role, vectors FROM spaces WHERE id = ?`);
    this.#add = database.prepare(
      `INSERT INTO spaces (model, dimensions, role) VALUES (?, ?, ?) RETURNING ${columns}`,
    );
    this.#setRole = database.prepare('UPDATE spaces SET role = ? WHERE id = ?');
    this.#count = database.prepare('UPDATE spaces SET vectors = vectors + ? WHERE id = ?');
  }

  all(): VectorSpaces {
    return { current: this.#byRole.get('current') ?? null, next: this.#byRole.get('next') ?? null };
  }

  pin(model: string, dimensions: number): VectorSpace {
    return this.all().current ?? (this.#add.get(model, dimensions, 'current') as VectorSpace);
  }

  openNext(model: string, dimensions: number): VectorSpace {
    const { next } = this.all();
    if (next?.model === model && next.dimensions === dimensions) return next;
    if (next !== null) this.#setRole.run('dropped', next.id);
    return this.#add.get(model, dimensions, 'next') as VectorSpace;
  }

  /**
   * Makes the next space the current one if every memory has a vector in it.
   * @param total the number of memories
   * @returns whether the space is the current one now
   */
  switchTo(id: number, total: number): boolean {
    const space = this.#byId.get(id);
    if (space?.role === 'current') return true;
    if (space?.role !== 'next' || space.vectors < total) return false;
    const { current } = this.all();
    if (current !== null) this.#setRole.run('dropped', current.id);
    this.#setRole.run('current', id);
    return true;
  }

  /**
   * Checks that a space has one of these roles, and these dimensions.
   * @throws HoldfastError `VECTOR_SPACE_CHANGED` if it has none of the roles
   * @throws RangeError if it has other dimensions
   */
  require(id: number, roles: readonly SpaceRole[], dimensions?: number): void {
    const space = this.#byId.get(id);
    if (space === undefined || !roles.some((role) => role === space.role)) throw vectorSpaceChanged();
    if (dimensions !== undefined && dimensions !== space.dimensions) {
      throw new RangeError(`The vector has ${dimensions} dimensions, but its space has ${space.dimensions}`);
    }
  }

  count(id: number, difference: 1 | -1): void {
    this.#count.run(difference, id);
  }
}
