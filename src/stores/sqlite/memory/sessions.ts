import type { Statement } from 'better-sqlite3';
import { type RelationshipField, relationshipRefused } from '../../memory/errors';
import type { Placement } from '../../memory/node';
import type { SqliteDatabase } from '../database';
import { keyToBytes } from '../key-bytes';

/** The fields of a memory that determine its place in a session. */
export interface SessionMember {
  readonly key: number;
  readonly id: string;
  readonly session: number | null;
  readonly previous: number | null;
  readonly timestamp: number;
}

/** The order of sessions. The caller runs all methods in the transaction of a change. */
export class Sessions {
  readonly #find: Statement<[number, Buffer], number>;
  readonly #add: Statement<[number, Buffer], number>;
  readonly #removeEmpty: Statement<[number]>;
  readonly #tail: Statement<[number], number | null>;
  readonly #setTail: Statement<[number | null, number]>;
  readonly #memberByKey: Statement<[number], SessionMember>;
  readonly #memberById: Statement<[string], SessionMember>;
  readonly #later: Statement<[number, number, string], SessionMember>;
  readonly #next: Statement<[number], number>;
  readonly #setPrevious: Statement<[number | null, number]>;

  constructor(database: SqliteDatabase) {
    this.#find = database
      .prepare<[number, Buffer], number>('SELECT key FROM sessions WHERE owner = ? AND name = ?')
      .pluck();
    this.#add = database
      .prepare<[number, Buffer], number>('INSERT INTO sessions (owner, name) VALUES (?, ?) RETURNING key')
      .pluck();
    this.#removeEmpty = database.prepare('DELETE FROM sessions WHERE key = ? AND tail IS NULL');
    this.#tail = database.prepare<[number], number | null>('SELECT tail FROM sessions WHERE key = ?').pluck();
    this.#setTail = database.prepare('UPDATE sessions SET tail = ? WHERE key = ?');
    const select = 'SELECT key, id, session, previous, timestamp FROM memories';
    this.#memberByKey = database.prepare(`${select} WHERE key = ?`);
    this.#memberById = database.prepare(`${select} WHERE id = ?`);
    this.#later = database.prepare(
      `${select} WHERE session = ? AND (timestamp, id) > (?, ?) ORDER BY timestamp, id LIMIT 1`,
    );
    this.#next = database.prepare<[number], number>('SELECT key FROM memories WHERE previous = ?').pluck();
    this.#setPrevious = database.prepare('UPDATE memories SET previous = ? WHERE key = ?');
  }

  findOrAdd(owner: number, name: string): number {
    const bytes = keyToBytes(name);
    return this.#find.get(owner, bytes) ?? (this.#add.get(owner, bytes) as number);
  }

  removeEmpty(session: number): void {
    this.#removeEmpty.run(session);
  }

  /**
   * Puts a memory that has no place in its session yet at a place.
   * @throws HoldfastError `VALIDATION` as `MemoryGraph.insert`
   */
  place(key: number, { after, before, byTime = false }: Placement): void {
    const { session = null, timestamp = 0, id = '' } = this.#memberByKey.get(key) ?? {};
    if (session === null) {
      const field = after === undefined && before !== undefined ? 'next' : 'previous';
      throw relationshipRefused(field, 'is for memories of a session');
    }
    const left = after === undefined ? undefined : this.#neighbour('previous', after, key, session);
    const isByTime = byTime && after === undefined && before === undefined;
    const later = isByTime ? this.#later.get(session, timestamp, id) : undefined;
    const right = before === undefined ? later : this.#neighbour('next', before, key, session);
    if (right !== undefined) {
      if (left !== undefined && right.previous !== left.key) {
        throw relationshipRefused('next', 'does not come right behind relationships.previous');
      }
      this.#link(key, session, right.previous, right.key);
    } else if (left !== undefined) {
      this.#link(key, session, left.key, this.#next.get(left.key));
    } else {
      this.#link(key, session, this.#tail.get(session) ?? null, undefined);
    }
  }

  /** Removes a memory from its session and closes the gap. */
  remove(key: number): void {
    const member = this.#memberByKey.get(key);
    if (member === undefined || member.session === null) return;
    const next = this.#next.get(key);
    this.#setPrevious.run(null, key);
    if (next === undefined) this.#setTail.run(member.previous, member.session);
    else this.#setPrevious.run(member.previous, next);
  }

  /** Links a memory between two others. The steps are in this order so that `previous` stays unique after each. */
  #link(key: number, session: number, previous: number | null, next: number | undefined): void {
    if (next === undefined) this.#setTail.run(key, session);
    else this.#setPrevious.run(null, next);
    this.#setPrevious.run(previous, key);
    if (next !== undefined) this.#setPrevious.run(key, next);
  }

  #neighbour(field: RelationshipField, id: string, key: number, session: number): SessionMember {
    const member = this.#memberById.get(id);
    if (member?.session !== session) throw relationshipRefused(field, 'is not a memory of this session');
    if (member.key === key) throw relationshipRefused(field, 'is the memory itself');
    return member;
  }
}
