import type { Statement } from 'better-sqlite3';
import type { MemoryChange, NewMemoryNode } from '../../memory/node';
import type { ReadNote } from '../../memory/memory-graph';
import type { SqliteDatabase } from '../database';
import { keyToBytes } from '../key-bytes';
import { kindNumber, type MemoryRow, SELECT_MEMORIES } from './rows';
import type { WordIndex } from './word-index';

interface NewRow {
  /** Null: the next free one. */
  readonly key: number | null;
  readonly id: string;
  readonly owner: number;
  readonly kind: number;
  readonly session: number | null;
  readonly timestamp: number;
  readonly storedAt: number;
  readonly weight: number;
  readonly text: string;
  readonly body: string;
}

interface ChangedRow {
  readonly key: number;
  readonly text: string;
  readonly weight: number;
  readonly body: string;
}

/** The rows of memories, their labels and their parts. */
export class Memories {
  readonly #words: WordIndex;
  readonly #find: Statement<[string], MemoryRow>;
  readonly #insert: Statement<[NewRow], number>;
  readonly #update: Statement<[ChangedRow]>;
  readonly #remove: Statement<[number]>;
  readonly #addLabel: Statement<[number, number, Buffer, number, number]>;
  readonly #removeLabels: Statement<[number]>;
  readonly #some: Statement<[number, number], MemoryRow>;
  readonly #noteRead: Statement<[ReadNote]>;

  constructor(database: SqliteDatabase, words: WordIndex) {
    this.#words = words;
    this.#find = database.prepare(`${SELECT_MEMORIES} WHERE id = ?`);
    this.#insert = database
      .prepare<[NewRow], number>(
        `INSERT INTO memories (key, id, owner, kind, session, timestamp, stored_at, weight, text, body)
           VALUES (@key, @id, @owner, @kind, @session, @timestamp, @storedAt, @weight, @text, @body) RETURNING key`,
      )
      .pluck();
    this.#update = database.prepare(
      `UPDATE memories SET text = @text, weight = @weight, body = @body, revision = revision + 1 WHERE key = @key`,
    );
    this.#remove = database.prepare('DELETE FROM memories WHERE key = ?');
    this.#addLabel = database.prepare(
      'INSERT INTO labels (owner, kind, label, memory, position) VALUES (?, ?, ?, ?, ?)',
    );
    this.#removeLabels = database.prepare('DELETE FROM labels WHERE memory = ?');
    this.#some = database.prepare(`${SELECT_MEMORIES} WHERE memories.owner = ? LIMIT ?`);
    this.#noteRead = database.prepare(
      `UPDATE memories SET read_count = read_count + @count, read_at = max(coalesce(read_at, @at), @at)
         WHERE id = @id`,
    );
  }

  find(id: string): MemoryRow | undefined {
    return this.#find.get(id);
  }

  /** @returns the key of the new row */
  insert(node: NewMemoryNode, owner: number, session: number | null): number {
    const { id, timestamp, storedAt, weight, text, labels } = node;
    const kind = kindNumber(node.kind);
    const body = JSON.stringify(node.body);
    const row = { id, owner, kind, session, timestamp, storedAt, weight, text, body };
    const key = this.#insert.get({ key: this.#words.reserve(text), ...row }) as number;
    this.#addLabels({ key, owner, kind }, labels);
    return key;
  }

  update(row: MemoryRow, { text, weight, body, labels }: MemoryChange): void {
    this.#update.run({
      key: row.key,
      text: text ?? row.text,
      weight: weight ?? row.weight,
      body: body === undefined ? row.body : JSON.stringify(body),
    });
    if (text !== undefined && text !== row.text) this.#words.put(row.key, text);
    if (labels === undefined) return;
    this.#removeLabels.run(row.key);
    this.#addLabels(row, labels);
  }

  remove(key: number): void {
    this.#remove.run(key);
  }

  someOf(owner: number, limit: number): MemoryRow[] {
    return this.#some.all(owner, limit);
  }

  noteRead(note: ReadNote): void {
    this.#noteRead.run(note);
  }

  #addLabels(
    { key, owner, kind }: Pick<MemoryRow, 'key' | 'owner' | 'kind'>,
    labels: readonly string[],
  ): void {
    labels.forEach((label, position) => this.#addLabel.run(owner, kind, keyToBytes(label), key, position));
  }
}
