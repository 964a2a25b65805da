import type { Statement } from 'better-sqlite3';
import { memoryErasing } from '../../memory/errors';
import type { MemoryKind } from '../../memory/node';
import type { SqliteDatabase } from '../database';
import { keyFromBytes, keyToBytes } from '../key-bytes';

export interface Owner {
  readonly key: number;
  readonly episodic: number;
  readonly semantic: number;
  readonly erasing: Erasing;
}

/** Whether a user is being erased, and whether the erasure has deleted memories already (`taken`). */
export const ERASING = { no: 0, begun: 1, taken: 2 } as const;
export type Erasing = (typeof ERASING)[keyof typeof ERASING];

/** The table of users, with the number of their memories and the state of their erasure. */
export class Owners {
  readonly #find: Statement<[Buffer], Owner>;
  readonly #get: Statement<[number], Owner>;
  readonly #add: Statement<[Buffer], Owner>;
  readonly #count: Readonly<Record<MemoryKind, Statement<[number, number]>>>;
  readonly #mark: Statement<[Erasing, number]>;
  readonly #unmark: Statement<[number]>;
  readonly #removeUnused: Statement<[number]>;
  readonly #list: Readonly<Record<MemoryKind, Statement<[Buffer, number], Buffer>>>;
  readonly #total: Statement<[], number>;

  constructor(database: SqliteDatabase) {
    const columns = 'key, episodic, semantic, erasing';
    this.#find = database.prepare(`SELECT ${columns} FROM owners WHERE user = ?`);
    this.#get = database.prepare(`SELECT ${columns} FROM owners WHERE key = ?`);
    this.#add = database.prepare(`INSERT INTO owners (user) VALUES (?) RETURNING ${columns}`);
    const count = (kind: MemoryKind): Statement<[number, number]> =>
      database.prepare(`UPDATE owners SET ${kind} = ${kind} + ? WHERE key = ?`);
    this.#count = { episodic: count('episodic'), semantic: count('semantic') };
    this.#mark = database.prepare('UPDATE owners SET erasing = max(erasing, ?) WHERE key = ?');
    this.#unmark = database.prepare(`UPDATE owners SET erasing = ${ERASING.no} WHERE key = ?`);
    this.#removeUnused = database.prepare(
      'DELETE FROM owners WHERE key = ? AND episodic = 0 AND semantic = 0 AND erasing = 0',
    );
    const list = (kind: MemoryKind): Statement<[Buffer, number], Buffer> =>
      database
        .prepare<[Buffer, number], Buffer>(
          `SELECT user FROM owners WHERE user > ? AND ${kind} > 0 ORDER BY user LIMIT ?`,
        )
        .pluck();
    this.#list = { episodic: list('episodic'), semantic: list('semantic') };
    this.#total = database
      .prepare<[], number>('SELECT coalesce(sum(episodic + semantic), 0) FROM owners')
      .pluck();
  }

  find(userId: string): Owner | undefined {
    return this.#find.get(keyToBytes(userId));
  }

  /**
   * Returns a user's row for a change, and adds it if it is missing.
   * @throws HoldfastError `MEMORY_ERASING`
   */
  findOrAdd(userId: string): Owner {
    return this.#checkNotErasing(this.find(userId) ?? this.#insert(userId));
  }

  /** @throws HoldfastError `MEMORY_ERASING` */
  requireNotErasing(key: number): void {
    const owner = this.#get.get(key);
    if (owner !== undefined) this.#checkNotErasing(owner);
  }

  count(key: number, kind: MemoryKind, difference: 1 | -1): void {
    this.#count[kind].run(difference, key);
  }

  removeUnused(key: number): void {
    this.#removeUnused.run(key);
  }

  markErasing(userId: string): void {
    this.#mark.run(ERASING.begun, (this.find(userId) ?? this.#insert(userId)).key);
  }

  /** Notes that the erasure deleted memories, so that the file has to be rewritten when it ends. */
  markTaken(key: number): void {
    this.#mark.run(ERASING.taken, key);
  }

  unmark(userId: string): void {
    const owner = this.find(userId);
    if (owner === undefined) return;
    this.#unmark.run(owner.key);
    this.removeUnused(owner.key);
  }

  list(kind: MemoryKind, after: string | undefined, limit: number): string[] {
    return this.#list[kind].all(keyToBytes(after ?? ''), limit).map(keyFromBytes);
  }

  /** The number of memories of all users. */
  total(): number {
    return this.#total.get() ?? 0;
  }

  #insert(userId: string): Owner {
    return this.#add.get(keyToBytes(userId)) as Owner;
  }

  #checkNotErasing(owner: Owner): Owner {
    if (owner.erasing !== ERASING.no) throw memoryErasing();
    return owner;
  }
}
