import type { Statement } from 'better-sqlite3';
import type { SpaceVector } from '../../memory/node';
import { boundedLimit } from '../../memory/search';
import type { VectorTombstone, VisibleVector } from '../../memory/vector-outbox';
import type { SqliteDatabase } from '../database';
import { keyFromBytes, keyToBytes } from '../key-bytes';
import { type MemoryRow, SELECT_MEMORIES, SEMANTIC, vectorToBytes } from './rows';
import type { Spaces } from './spaces';
import { signCode } from './sign-code';

const THIS_CODE = 'space = @space AND owner = @owner AND kind = @kind AND memory = @key';
/** The codes of vectors, which the coarse pass of a search reads. The caller runs all methods in the transaction of a change. */
class Codes {
  readonly #insert: Statement<
    [CodeOwner & CodeKey & Pick<CodedVector, 'vector'> & { readonly code: Buffer }]
  >;
  readonly #remove: Statement<[CodeKey]>;
  readonly #setWeight: Statement<[CodeKey & { readonly weight: number }]>;

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare(
      `INSERT INTO codes (space, owner, kind, memory, vector, session, timestamp, weight, code)
         VALUES (@space, @owner, @kind, @key, @vector, @session, @timestamp, @weight, @code)`,
    );
    this.#remove = database.prepare(`DELETE FROM codes WHERE ${THIS_CODE}`);
    this.#setWeight = database.prepare(`UPDATE codes SET weight = @weight WHERE ${THIS_CODE}`);
  }

  add(memory: CodeOwner, { space, vector, values }: CodedVector): void {
    this.#insert.run({ ...memory, space, vector, code: signCode(values) });
  }

  remove(memory: CodeOwner, space: number): void {
    this.#remove.run({ ...memory, space });
  }

  setWeight(memory: CodeOwner, space: number, weight: number): void {
    this.#setWeight.run({ ...memory, space, weight });
  }
}

export interface PendingRow extends MemoryRow {
  readonly space: number;
  readonly value: Buffer;
}

interface TombstoneRow {
  readonly id: string;
  readonly user: Buffer;
  readonly space: number;
}

/** The vectors of memories, their codes, and the tombstones for an outside index. */
export class Vectors {
  readonly #spaces: Spaces;
  readonly #codes: Codes;
  readonly #insert: Statement<[number, number, number, Buffer]>;
  readonly #spacesOf: Statement<[number], number>;
  readonly #remove: Statement<[number, number]>;
  readonly #pending: Statement<[number], PendingRow>;
  readonly #release: Statement<[number, number]>;
  readonly #addTombstone: Statement<[string, Buffer, number]>;
  readonly #listTombstones: Statement<[number], TombstoneRow>;
  readonly #deleteTombstone: Statement<[string, number]>;
  readonly #deleteTombstonesOf: Statement<[Buffer]>;

  constructor(database: SqliteDatabase, spaces: Spaces) {
    this.#spaces = spaces;
    this.#codes = new Codes(database);
    this.#insert = database.prepare('INSERT INTO vectors (space, memory, kind, value) VALUES (?, ?, ?, ?)');
    this.#spacesOf = database.prepare<[number], number>('SELECT space FROM vectors WHERE memory = ?').pluck();
    this.#remove = database.prepare('DELETE FROM vectors WHERE memory = ? AND space = ?');
    this.#pending = database.prepare(
      `WITH pending AS MATERIALIZED (
         SELECT vectors.key AS vector, space, memory, value FROM vectors JOIN spaces ON spaces.id = space
         WHERE kind = ${SEMANTIC} AND value IS NOT NULL AND role <> 'dropped' ORDER BY vectors.key LIMIT ?
       )
       ${SELECT_MEMORIES.replace('SELECT', 'SELECT space, value,')} JOIN pending ON memory = memories.key ORDER BY vector`,
    );
    this.#release = database.prepare(
      'UPDATE vectors SET value = NULL WHERE memory = ? AND space = ? AND value IS NOT NULL',
    );
    this.#addTombstone = database.prepare(
      'INSERT OR IGNORE INTO dropped_vectors (id, user, space) VALUES (?, ?, ?)',
    );
    this.#listTombstones = database.prepare(
      'SELECT id, user, space FROM dropped_vectors ORDER BY key LIMIT ?',
    );
    this.#deleteTombstone = database.prepare('DELETE FROM dropped_vectors WHERE id = ? AND space = ?');
    this.#deleteTombstonesOf = database.prepare('DELETE FROM dropped_vectors WHERE user = ?');
  }

  /** Stores a vector and replaces the one that the memory may already have in this space. */
  put(memory: CodeOwner, { spaceId, values }: SpaceVector): void {
    this.removeFrom(memory, spaceId);
    const { lastInsertRowid: vector } = this.#insert.run(
      spaceId,
      memory.key,
      memory.kind,
      vectorToBytes(values),
    );
    this.#codes.add(memory, { space: spaceId, vector, values });
    this.#spaces.count(spaceId, 1);
  }

  removeFrom(memory: CodeOwner, space: number): void {
    if (this.#remove.run(memory.key, space).changes === 0) return;
    this.#codes.remove(memory, space);
    this.#spaces.count(space, -1);
  }

  /** Removes the memory's vectors from all spaces. */
  removeAll(memory: CodeOwner): void {
    for (const space of this.#spacesOf.all(memory.key)) this.removeFrom(memory, space);
  }

  /** Adds a tombstone for each vector of a memory. The caller calls this before it removes the vectors of a deleted memory. */
  addTombstones({ key, id, user, kind }: MemoryRow): void {
    if (kind !== SEMANTIC) return;
    for (const space of this.#spacesOf.all(key)) this.#addTombstone.run(id, user, space);
  }

  setWeight(memory: CodeOwner, weight: number): void {
    for (const space of this.#spacesOf.all(memory.key)) this.#codes.setWeight(memory, space, weight);
  }

  listPending(limit: number): PendingRow[] {
    return this.#pending.all(boundedLimit(limit));
  }

  release(memory: CodeOwner, { spaceId }: VisibleVector): boolean {
    if (this.#release.run(memory.key, spaceId).changes === 0) return false;
    this.#codes.remove(memory, spaceId);
    return true;
  }

  listTombstones(limit: number): VectorTombstone[] {
    return this.#listTombstones
      .all(boundedLimit(limit))
      .map(({ id, user, space }) => ({ id, userId: keyFromBytes(user), spaceId: space }));
  }

  deleteTombstone({ id, spaceId }: VectorTombstone): void {
    this.#deleteTombstone.run(id, spaceId);
  }

  deleteTombstonesOf(userId: string): void {
    this.#deleteTombstonesOf.run(keyToBytes(userId));
  }
}

/** The fields of a memory that are stored with its code. */
type CodeOwner = Pick<MemoryRow, 'key' | 'owner' | 'kind' | 'session' | 'timestamp' | 'weight'>;

type CodeKey = Pick<MemoryRow, 'key' | 'owner' | 'kind'> & { readonly space: number };

interface CodedVector {
  readonly space: number;
  /** The key of the row that has the full vector. */
  readonly vector: number | bigint;
  readonly values: Float32Array;
}
