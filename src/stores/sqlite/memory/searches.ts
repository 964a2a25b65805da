import type { KindCount, NamePage, SessionSummary, UserMemoryStats } from '../../memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../memory/node';
import {
  boundedLimit,
  type ListQuery,
  type MemoryScope,
  type SearchHit,
  type TextQuery,
  type VectorQuery,
} from '../../memory/search';
import type { SqliteDatabase } from '../database';
import { keyFromBytes, keyToBytes } from '../key-bytes';
import { buildScopeQuery, type Parameters } from './filters';
import { Owners } from './owners';
import { kindNumber, type MemoryRow, RowReader, SELECT_MEMORIES, vectorToBytes } from './rows';
import { Spaces } from './spaces';
import { signCode } from './sign-code';
import { queryWords } from '../../memory/query-words';

/** The first pass of a vector search. It reads the codes of all memories that a user has of a kind. */
export class CoarseSearch {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /**
   * Finds the keys of at most `limit` vectors: those whose codes differ from the query's in the fewest bits. Vectors with the
   * same number of different bits are in the order of the keys of their memories.
   *
   * This is a separate statement, because as a part of a larger one SQLite would convert the query's code again for every row.
   */
  nearest(query: VectorQuery, limit: number): number[] {
    const { condition, parameters } = buildScopeQuery(query, 'codes');
    return this.#database
      .prepare<[Parameters], number>(
        `SELECT vector FROM codes WHERE space = @space AND ${condition}
           ORDER BY vec_distance_hamming(vec_bit(code), vec_bit(@code)), memory LIMIT @limit`,
      )
      .pluck()
      .all({ ...parameters, space: query.spaceId, code: signCode(query.vector), limit });
  }
}

/**
 * The number of memories that the coarse pass of a vector search selects for the exact one: `COARSE_FACTOR` times the limit of
 * the search, but at least `MIN_COARSE`. If there are fewer memories, all of them are compared exactly.
 */
const COARSE_FACTOR = 20;
const MIN_COARSE = 1_000;
/** The maximum number of categories that the statistics list. */
const MAX_CATEGORIES = 1_000;

/**
 * The end of a search whose `hits` have a key and a score. Hits with the same score are in the order of ids, and ids are looked
 * up only for hits that can be among the best.
 */
const BEST_HITS = `
  SELECT id, score FROM hits JOIN memories USING (key)
  WHERE score >= coalesce((SELECT score FROM hits ORDER BY score DESC LIMIT 1 OFFSET @limit - 1), -1)
  ORDER BY score DESC, id LIMIT @limit`;

/**
 * The reads that may take long, on one connection. They run in a separate thread. All methods block, and throw SQLite's errors;
 * each sees one state of the file.
 */
export class MemorySearches {
  readonly #database: SqliteDatabase;
  readonly #owners: Owners;
  readonly #spaces: Spaces;
  readonly #coarse: CoarseSearch;
  readonly #rows: RowReader;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#owners = new Owners(database);
    this.#spaces = new Spaces(database);
    this.#coarse = new CoarseSearch(database);
    this.#rows = new RowReader(database);
  }

  list(query: ListQuery): MemoryNode[] {
    const { condition, parameters } = buildScopeQuery(query);
    const [direction, comparison] = query.order === 'newest-first' ? ['DESC', '<'] : ['ASC', '>'];
    const afterPosition = query.after && `AND (timestamp, id) ${comparison} (@afterTimestamp, @afterId)`;
    const position = query.after && { afterTimestamp: query.after.timestamp, afterId: query.after.id };
    const rows = this.#all<MemoryRow>(
      `${SELECT_MEMORIES} WHERE ${condition} ${afterPosition ?? ''}
         ORDER BY timestamp ${direction}, id ${direction} LIMIT @limit OFFSET @offset`,
      { ...parameters, ...position, limit: boundedLimit(query.limit), offset: query.offset ?? 0 },
    );
    return rows.map((row) => this.#rows.toNode(row));
  }

  count(scope: MemoryScope): number {
    const { isFiltered, condition, parameters } = buildScopeQuery(scope);
    if (!isFiltered) return this.#owners.find(scope.userId)?.[scope.kind] ?? 0;
    return this.#all<{ count: number }>(
      `SELECT count(*) AS count FROM memories WHERE ${condition}`,
      parameters,
    )[0]?.count as number;
  }

  searchText(query: TextQuery): SearchHit[] {
    const owner = this.#owners.find(query.userId);
    const words = buildMatchExpression(query.text);
    const limit = boundedLimit(query.limit);
    if (owner === undefined || words === undefined || limit === 0) return [];
    const { isFiltered, condition, parameters } = buildScopeQuery(query);
    // The plus prevents SQLite from searching the index once for each memory that passes the filter.
    const filter = isFiltered
      ? `AND +memory_text.rowid IN (SELECT memories.key FROM memories WHERE ${condition})`
      : '';
    return this.#all<SearchHit>(
      `WITH hits AS MATERIALIZED (
         SELECT rowid AS key, -bm25(memory_text, 0, 1) AS score FROM memory_text
         WHERE memory_text MATCH @match ${filter}
       )
       ${BEST_HITS}`,
      {
        ...(isFiltered && parameters),
        match: `scope : "${owner.key * 2 + kindNumber(query.kind)}" AND text : (${words})`,
        limit,
      },
    );
  }

  searchVectors(query: VectorQuery): SearchHit[] {
    this.#spaces.require(query.spaceId, ['current'], query.vector.length);
    const limit = boundedLimit(query.limit);
    const nearest = this.#coarse.nearest(query, Math.max(limit * COARSE_FACTOR, MIN_COARSE));
    return this.#all<SearchHit>(
      // The cross join makes SQLite begin with the selected keys and look up the vector of each.
      `WITH hits AS MATERIALIZED (
         SELECT memory AS key, max(-1, min(1, 1 - vec_distance_cosine(vectors.value, @values))) AS score
         FROM json_each(@nearest) AS nearest CROSS JOIN vectors ON vectors.key = nearest.value
       )
       ${BEST_HITS}`,
      { nearest: JSON.stringify(nearest), values: vectorToBytes(query.vector), limit },
    );
  }

  stats(userId: string): UserMemoryStats {
    const owner = this.#owners.find(userId);
    const categories = this.#all<{ label: Buffer }>(
      // The query steps from each label to the next one, so its cost does not depend on how many memories have a label.
      `WITH RECURSIVE category (label) AS (
         SELECT min(label) FROM labels WHERE owner = @owner AND kind = @kind
         UNION ALL
         SELECT (SELECT min(label) FROM labels WHERE owner = @owner AND kind = @kind AND label > category.label)
           FROM category WHERE label IS NOT NULL
       )
       SELECT label FROM category WHERE label IS NOT NULL LIMIT ${MAX_CATEGORIES}`,
      { owner: owner?.key ?? 0, kind: kindNumber('semantic') },
    );
    return {
      episodic: this.#kindCount(userId, 'episodic'),
      semantic: this.#kindCount(userId, 'semantic'),
      categories: categories.map(({ label }) => keyFromBytes(label)),
    };
  }

  listSessions(userId: string, { after = '', limit }: NamePage): SessionSummary[] {
    const owner = this.#owners.find(userId);
    // Each figure is a separate query, which SQLite answers from the index of the session alone.
    const rows = this.#all<Omit<SessionSummary, 'sessionId'> & { readonly name: Buffer }>(
      `SELECT name, (SELECT count(*) FROM memories WHERE session = sessions.key) AS memories,
         (SELECT min(timestamp) FROM memories WHERE session = sessions.key) AS first,
         (SELECT max(timestamp) FROM memories WHERE session = sessions.key) AS last
       FROM sessions WHERE owner = @owner AND name > @after AND tail IS NOT NULL ORDER BY name LIMIT @limit`,
      { owner: owner?.key ?? 0, after: keyToBytes(after), limit: boundedLimit(limit) },
    );
    return rows.map(({ name, ...session }) => ({ sessionId: keyFromBytes(name), ...session }));
  }

  listWithoutVector(spaceId: number, { after = '', limit }: { after?: string; limit: number }): MemoryNode[] {
    this.#spaces.require(spaceId, ['current', 'next']);
    const rows = this.#all<MemoryRow>(
      `${SELECT_MEMORIES} WHERE id > @after
         AND NOT EXISTS (SELECT 1 FROM vectors WHERE memory = memories.key AND space = @spaceId)
         ORDER BY id LIMIT @limit`,
      { after, spaceId, limit: boundedLimit(limit) },
    );
    return rows.map((row) => this.#rows.toNode(row));
  }

  #kindCount(userId: string, kind: MemoryKind): KindCount {
    const owner = this.#owners.find(userId);
    // Minimum and maximum are separate queries, because SQLite uses an index only for one of them alone.
    const [times] = this.#all<Omit<KindCount, 'count'>>(
      `SELECT (SELECT min(timestamp) FROM memories WHERE owner = @owner AND kind = @kind) AS oldest,
         (SELECT max(timestamp) FROM memories WHERE owner = @owner AND kind = @kind) AS newest`,
      { owner: owner?.key ?? 0, kind: kindNumber(kind) },
    );
    return { count: owner?.[kind] ?? 0, oldest: times?.oldest ?? null, newest: times?.newest ?? null };
  }

  #all<Row>(sql: string, parameters: Parameters): Row[] {
    return this.#database.prepare<[Parameters], Row>(sql).all(parameters);
  }
}

/**
 * Builds the FTS5 expression that finds texts with any of the words; undefined if the query has no word. Each word is a
 * quoted string of letters and digits, so FTS5 never reads it as syntax.
 */
function buildMatchExpression(query: string): string | undefined {
  const words = queryWords(query);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(' OR ');
}
