import type { Statement } from 'better-sqlite3';
import type { SpaceVector } from '../../memory/node';
import { boundedLimit } from '../../memory/search';
import type { DroppedVector, ShownVector } from '../../memory/vector-outbox';
import type { SqliteDatabase } from '../database';
import { keyFromBytes, keyToBytes } from '../key-bytes';
import { Codes } from './codes';
import type { CodeOwner } from './codes';
import { SELECT_MEMORIES, SEMANTIC, vectorToBytes } from './rows';
import type { MemoryRow } from './rows';
import type { Spaces } from './spaces';

export interface HeldRow extends MemoryRow {
  readonly space: number;
  readonly value: Buffer;
}

interface PlaceRow {
  readonly space: number;
  /** Null: the vector was released. */
  readonly chunk: number | null;
}

interface DroppedRow {
  readonly id: string;
  readonly user: Buffer;
  readonly space: number;
}

/** The vectors of memories, their codes, and what an index elsewhere has to be told. */
export class Vectors {
  readonly #spaces: Spaces;
  readonly #codes: Codes;
  readonly #insert: Statement<[number, number, number, number, Buffer]>;
  readonly #placesOf: Statement<[number], PlaceRow>;
  readonly #place: Statement<[number, number], PlaceRow>;
  readonly #remove: Statement<[number, number]>;
  readonly #held: Statement<[number], HeldRow>;
  readonly #release: Statement<[number, number]>;
  readonly #noteDropped: Statement<[string, Buffer, number]>;
  readonly #dropped: Statement<[number], DroppedRow>;
  readonly #forgetDropped: Statement<[string, number]>;
  readonly #forgetDroppedOf: Statement<[Buffer]>;

  constructor(database: SqliteDatabase, spaces: Spaces) {
    this.#spaces = spaces;
    this.#codes = new Codes(database);
    this.#insert = database.prepare(
      'INSERT INTO vectors (space, memory, kind, chunk, value) VALUES (?, ?, ?, ?, ?)',
    );
    this.#placesOf = database.prepare('SELECT space, chunk FROM vectors WHERE memory = ?');
    this.#place = database.prepare('SELECT space, chunk FROM vectors WHERE memory = ? AND space = ?');
    this.#remove = database.prepare('DELETE FROM vectors WHERE memory = ? AND space = ?');
    this.#held = database.prepare(
      `WITH held AS MATERIALIZED (
         SELECT vectors.key AS vector, space, memory, value FROM vectors JOIN spaces ON spaces.id = space
         WHERE kind = ${SEMANTIC} AND value IS NOT NULL AND role <> 'dropped' ORDER BY vectors.key LIMIT ?
       )
       ${SELECT_MEMORIES.replace('SELECT', 'SELECT space, value,')} JOIN held ON memory = memories.key ORDER BY vector`,
    );
    this.#release = database.prepare(
      'UPDATE vectors SET value = NULL, chunk = NULL WHERE memory = ? AND space = ?',
    );
    this.#noteDropped = database.prepare(
      'INSERT OR IGNORE INTO dropped_vectors (id, user, space) VALUES (?, ?, ?)',
    );
    this.#dropped = database.prepare('SELECT id, user, space FROM dropped_vectors ORDER BY key LIMIT ?');
    this.#forgetDropped = database.prepare('DELETE FROM dropped_vectors WHERE id = ? AND space = ?');
    this.#forgetDroppedOf = database.prepare('DELETE FROM dropped_vectors WHERE user = ?');
  }

  /** In the place of the one that the memory may have in this space. */
  put(memory: CodeOwner, { spaceId, values }: SpaceVector): void {
    this.removeFrom(memory, spaceId);
    const chunk = this.#codes.add(memory, spaceId, values);
    this.#insert.run(spaceId, memory.key, memory.kind, chunk, vectorToBytes(values));
    this.#spaces.count(spaceId, 1);
  }

  removeFrom({ key }: CodeOwner, space: number): void {
    const place = this.#place.get(key, space);
    if (place === undefined) return;
    if (place.chunk !== null) this.#codes.remove(key, place.chunk);
    this.#remove.run(key, space);
    this.#spaces.count(space, -1);
  }

  /** From all spaces. */
  removeAll(memory: CodeOwner): void {
    for (const { space } of this.#placesOf.all(memory.key)) this.removeFrom(memory, space);
  }

  /** To be called before the vectors of a memory that goes are removed. */
  noteDropped({ key, id, user, kind }: MemoryRow): void {
    if (kind !== SEMANTIC) return;
    for (const { space } of this.#placesOf.all(key)) this.#noteDropped.run(id, user, space);
  }

  setWeight({ key }: CodeOwner, weight: number): void {
    for (const { chunk } of this.#placesOf.all(key)) {
      if (chunk !== null) this.#codes.setWeight(key, chunk, weight);
    }
  }

  listHeld(limit: number): HeldRow[] {
    return this.#held.all(boundedLimit(limit));
  }

  release({ key }: CodeOwner, { spaceId }: ShownVector): boolean {
    const chunk = this.#place.get(key, spaceId)?.chunk ?? null;
    if (chunk === null) return false;
    this.#codes.remove(key, chunk);
    this.#release.run(key, spaceId);
    return true;
  }

  listDropped(limit: number): DroppedVector[] {
    return this.#dropped
      .all(boundedLimit(limit))
      .map(({ id, user, space }) => ({ id, userId: keyFromBytes(user), spaceId: space }));
  }

  forgetDropped({ id, spaceId }: DroppedVector): void {
    this.#forgetDropped.run(id, spaceId);
  }

  forgetDroppedOf(userId: string): void {
    this.#forgetDroppedOf.run(keyToBytes(userId));
  }
}
