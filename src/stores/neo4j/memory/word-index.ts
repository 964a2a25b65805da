import { PARTS_VERSION } from '../../../base/text/search-parts';
import type { WordIndexPage } from '../../memory/word-index';
import type { Row, Statements } from '../connection';
import type { Neo4jDatabase } from '../database';
import { toNodes } from './rows';
import { termsOf } from './terms';
import { lockUsersOf } from './users';

const IS_CURRENT = `MATCH (words:HoldfastWordIndex {name: 'memories'}) WHERE words.version = $version RETURN 1`;
const NOTE = `MERGE (words:HoldfastWordIndex {name: 'memories'}) SET words.version = $version`;
const COLUMNS = 'memory.id AS id, memory.state AS state, memory.terms AS terms';
const NEXT = `MATCH (memory:HoldfastMemory) WHERE memory.id > $after
  RETURN ${COLUMNS} ORDER BY memory.id LIMIT toInteger($limit)`;
const FIND = `MATCH (memory:HoldfastMemory) WHERE memory.id IN $ids RETURN ${COLUMNS}`;
const RENEW = `UNWIND $renewed AS one MATCH (memory:HoldfastMemory {id: one.id}) SET memory.terms = one.terms`;

/** The terms of all memories, which may be those of another version of this code or of its dictionaries. */
export class WordIndex {
  readonly #database: Neo4jDatabase;

  constructor(database: Neo4jDatabase) {
    this.#database = database;
  }

  async isCurrent(): Promise<boolean> {
    return (await this.#database.read(IS_CURRENT, { version: PARTS_VERSION })).length > 0;
  }

  /** Does what `WordIndexPort.renewWords` does. */
  async renew(after: string, limit: number): Promise<WordIndexPage> {
    const rows = await this.#database.read(NEXT, { after, limit });
    const outdated = findOutdated(rows).map(({ id }) => id);
    const renewed =
      outdated.length === 0 ? 0 : await this.#change((statements) => renewTerms(statements, outdated));
    if (rows.length === limit) return { renewed, after: rows.at(-1)?.['id'] as string };
    await this.#change((statements) => statements.run(NOTE, { version: PARTS_VERSION }));
    return { renewed };
  }

  #change<T>(change: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#database.transact(async (statements) => ({ commit: true, value: await change(statements) }));
  }
}

/** Reads the memories again under the locks of their users, because their texts may have changed. */
async function renewTerms(statements: Statements, ids: readonly string[]): Promise<number> {
  const [, rows] = await Promise.all([lockUsersOf(statements, ids), statements.run(FIND, { ids })]);
  const renewed = findOutdated(rows);
  await statements.run(RENEW, { renewed });
  return renewed.length;
}

/** Returns the memories that have other terms now, with these. */
function findOutdated(rows: readonly Row[]): { id: string; terms: string }[] {
  return rows.flatMap((row) =>
    toNodes({ state: row['state'], reads: null })
      .map(({ id, text }) => ({ id, terms: termsOf(text) }))
      .filter(({ terms }) => terms !== row['terms']),
  );
}
