import type { Statement } from 'better-sqlite3';
import { PARTS_VERSION, textParts } from '../../../base/text/search-parts';
import type { WordIndexPage } from '../../memory/word-index';
import type { SqliteDatabase } from '../database';

/** The time after which a page ends, because no other process can write meanwhile; milliseconds. */
const PAGE_MS = 20;

interface IndexedRow {
  readonly key: number;
  readonly id: string;
  readonly text: string;
  readonly parts: string | null;
}

/** The parts of memories in the full-text index, whose triggers are in `parts-schema.ts`. */
export class WordIndex {
  readonly #reserve: Statement<[string], number>;
  readonly #put: Statement<[number, string]>;
  readonly #next: Statement<[string, number], IndexedRow>;
  readonly #isCurrent: Statement<[string], number>;
  readonly #forget: Statement<[]>;
  readonly #note: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    this.#reserve = database
      .prepare<[string], number>(
        `INSERT INTO memory_parts (memory, parts) SELECT coalesce(max(key), 0) + 1, ? FROM memories
           RETURNING memory`,
      )
      .pluck();
    this.#put = database.prepare(
      `INSERT INTO memory_parts (memory, parts) VALUES (?, ?)
         ON CONFLICT (memory) DO UPDATE SET parts = excluded.parts`,
    );
    this.#next = database.prepare(
      `SELECT key, id, text, parts FROM memories LEFT JOIN memory_parts ON memory = key
         WHERE id > ? ORDER BY id LIMIT ?`,
    );
    this.#isCurrent = database
      .prepare<[string], number>('SELECT 1 FROM word_index WHERE version = ?')
      .pluck();
    this.#forget = database.prepare('DELETE FROM word_index');
    this.#note = database.prepare('INSERT INTO word_index (version) VALUES (?)');
  }

  /**
   * Stores the parts of a memory before the memory, so that it is indexed once.
   * @returns the key that the memory has to get; null if it has no parts, so that any key will do
   */
  reserve(text: string): number | null {
    const parts = joinParts(text);
    return parts === '' ? null : (this.#reserve.get(parts) as number);
  }

  /** Stores the parts of a memory whose text was changed. */
  put(key: number, text: string): void {
    const parts = joinParts(text);
    if (parts !== '') this.#put.run(key, parts);
  }

  isCurrent(): boolean {
    return this.#isCurrent.get(PARTS_VERSION) !== undefined;
  }

  /** Does what `WordIndexPort.renewWords` does, and may end earlier. The caller runs it in a transaction. */
  renew({
    after = '',
    limit,
  }: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): WordIndexPage {
    const end = performance.now() + PAGE_MS;
    const rows = this.#next.all(after, limit);
    let renewed = 0;
    for (const [index, { key, id, text, parts }] of rows.entries()) {
      const wanted = joinParts(text);
      if (wanted !== (parts ?? '')) {
        this.#put.run(key, wanted);
        renewed += 1;
      }
      if (index === limit - 1 || performance.now() > end) return { renewed, after: id };
    }
    this.#forget.run();
    this.#note.run(PARTS_VERSION);
    return { renewed };
  }
}

function joinParts(text: string): string {
  return textParts(text).join(' ');
}
