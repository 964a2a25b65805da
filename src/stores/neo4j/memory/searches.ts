import type { UserMemoryStats } from '../../memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../memory/node';
import {
  boundedLimit,
  type ListQuery,
  type MemoryScope,
  type SearchHit,
  type TextQuery,
  type VectorQuery,
} from '../../memory/search';
import type { Row, Statements } from '../connection';
import { keyFromText, keyToText } from '../key-text';
import { IS_OF_USER, KIND_LABELS, MEMORY_COLUMNS, toNodes } from './rows';
import { indexName, readSpaces, requireSpace, vectorProperties } from './spaces';
import { luceneQuery } from './terms';
import { findUser } from './users';

/** The maximum number of categories that the statistics list. */
const MAX_CATEGORIES = 1_000;

/** The first query of the full-text index reads this many hits: enough to see past those with the same score as the last. */
const FIRST_TEXT_HITS = 200;
const TEXT_FACTOR = 2;

/**
 * If a user has up to `MAX_COMPARED` memories, the search compares all of them, at 20 µs each. Above, it asks the vector
 * index, which has the memories of all users: for `NEAREST_FACTOR` times as many as are expected to contain enough hits of this
 * user, but at least `MIN_NEAREST`, because fewer are not found sooner. If that is more than `MAX_NEAREST`, comparing all is
 * not slower.
 */
const MAX_COMPARED = 2_000;
const NEAREST_FACTOR = 4;
const MIN_NEAREST = 500;
const MAX_NEAREST = 5_000;

export async function listMemories(statements: Statements, query: ListQuery): Promise<MemoryNode[]> {
  const { label, condition, parameters } = buildScopeQuery(query);
  const [direction, comparison] = query.order === 'newest-first' ? ['DESC', '<'] : ['ASC', '>'];
  const afterPosition = `AND memory.timestamp ${comparison}= $after.timestamp
    AND NOT (memory.timestamp = $after.timestamp AND NOT memory.id ${comparison} $after.id)`;
  const rows = await statements.run(
    `MATCH (memory:${label}) WHERE ${condition} ${query.after === undefined ? '' : afterPosition}
     WITH memory ORDER BY memory.timestamp ${direction}, memory.id ${direction}
       SKIP toInteger($offset) LIMIT toInteger($limit)
     RETURN ${MEMORY_COLUMNS}
     ORDER BY memory.timestamp ${direction}, memory.id ${direction}`,
    { ...parameters, after: query.after, offset: query.offset ?? 0, limit: boundedLimit(query.limit) },
  );
  return rows.flatMap(toNodes);
}

export async function countInScope(statements: Statements, scope: MemoryScope): Promise<number> {
  const { label, isFiltered, condition, parameters } = buildScopeQuery(scope);
  if (!isFiltered) return (await findUser(statements, scope.userId))[scope.kind];
  const [row] = await statements.run(
    `MATCH (memory:${label}) WHERE ${condition} RETURN count(*) AS count`,
    parameters,
  );
  return Number(row?.['count']);
}

export async function searchText(statements: Statements, query: TextQuery): Promise<SearchHit[]> {
  const limit = boundedLimit(query.limit);
  const lucene = luceneQuery(query.userId, query.text);
  if (lucene === undefined || limit === 0) return [];
  const { condition, parameters } = buildScopeQuery(query);
  const all = { ...parameters, index: `holdfast_${query.kind}_text`, lucene, limit };
  const firstLimit = FIRST_TEXT_HITS + TEXT_FACTOR * limit;
  const first = await statements.run(
    `CALL db.index.fulltext.queryNodes($index, $lucene, {limit: toInteger($firstLimit)})
       YIELD node AS memory, score
     RETURN memory.id AS id, score, ${condition} AS passes`,
    { ...all, firstLimit },
  );
  const hits = first.filter(({ passes }) => passes === true).map(toHit);
  const isComplete =
    first.length < firstLimit || (hits[limit - 1]?.score ?? 0) > Number(first.at(-1)?.['score']);
  // Otherwise a hit that was not read may have the same score as the last one, and a smaller id.
  if (isComplete) return sortHits(hits).slice(0, limit);
  const rows = await statements.run(
    `CALL db.index.fulltext.queryNodes($index, $lucene) YIELD node AS memory, score
     WHERE ${condition}
     RETURN memory.id AS id, score ORDER BY score DESC, id LIMIT toInteger($limit)`,
    all,
  );
  return rows.map(toHit);
}

/** @throws HoldfastError `VECTOR_SPACE_CHANGED` */
export async function searchVectors(statements: Statements, query: VectorQuery): Promise<SearchHit[]> {
  const { userId, kind, spaceId, vector } = query;
  const [spaces, user, total] = await Promise.all([
    readSpaces(statements),
    findUser(statements, userId),
    countAll(statements, kind),
  ]);
  requireSpace(spaces, spaceId, ['current'], vector.length);
  const limit = boundedLimit(query.limit);
  if (limit === 0 || user[kind] === 0) return [];
  const nearest = Math.max(MIN_NEAREST, Math.ceil((NEAREST_FACTOR * limit * total) / user[kind]));
  if (user[kind] > MAX_COMPARED && nearest <= MAX_NEAREST) {
    const hits = await searchVectorIndex(statements, query, limit, nearest);
    if (hits.length === limit) return hits;
  }
  return compareAll(statements, query, limit);
}

export async function readStats(statements: Statements, userId: string): Promise<UserMemoryStats> {
  const user = keyToText(userId);
  const [counts, episodic, semantic, categories] = await Promise.all([
    findUser(statements, userId),
    readTimes(statements, user, 'episodic'),
    readTimes(statements, user, 'semantic'),
    statements.run(
      `MATCH (memory:${KIND_LABELS.semantic}) WHERE ${IS_OF_USER} UNWIND memory.labels AS label
       RETURN DISTINCT label`,
      { user },
    ),
  ]);
  return {
    episodic: { count: counts.episodic, ...episodic },
    semantic: { count: counts.semantic, ...semantic },
    // They are sorted by code unit here, because Neo4j's order depends on whether it sorts or reads an index.
    categories: categories
      .map(({ label }) => keyFromText(label as string))
      .sort()
      .slice(0, MAX_CATEGORIES),
  };
}

/** Compares the query with every memory that passes the filters. The result is exact. */
async function compareAll(statements: Statements, query: VectorQuery, limit: number): Promise<SearchHit[]> {
  const { label, condition, parameters } = buildScopeQuery(query);
  const rows = await statements.run(`MATCH (memory:${label}) WHERE ${condition} ${nearestClause(query)}`, {
    ...parameters,
    values: [...query.vector],
    limit,
  });
  return rows.map(toHit);
}

/** Searches the vector index, which has all users, and returns the hits that are in the scope. */
async function searchVectorIndex(
  statements: Statements,
  query: VectorQuery,
  limit: number,
  nearest: number,
): Promise<SearchHit[]> {
  const { condition, parameters } = buildScopeQuery(query);
  const rows = await statements.run(
    `CALL db.index.vector.queryNodes($index, toInteger($nearest), $values) YIELD node AS memory
     WITH memory WHERE ${condition} ${nearestClause(query)}`,
    { ...parameters, index: indexName(query.spaceId, query.kind), nearest, values: [...query.vector], limit },
  );
  return rows.map(toHit);
}

/** Builds the end of a query, which keeps the nearest of the matched memories. Neo4j returns a cosine as a number from 0 to 1. */
function nearestClause({ spaceId }: VectorQuery): string {
  const { values } = vectorProperties(spaceId);
  return `AND memory.${values} IS NOT NULL
     WITH memory.id AS id, 2 * vector.similarity.cosine(memory.${values}, $values) - 1 AS cosine
     RETURN id, CASE WHEN cosine > 1 THEN 1 WHEN cosine < -1 THEN -1 ELSE cosine END AS score
     ORDER BY score DESC, id LIMIT toInteger($limit)`;
}

/** Counts the memories of a kind. The server answers from its statistics, which it keeps by label. */
async function countAll(statements: Statements, kind: MemoryKind): Promise<number> {
  const [row] = await statements.run(`MATCH (memory:${KIND_LABELS[kind]}) RETURN count(memory) AS count`);
  return Number(row?.['count']);
}

async function readTimes(
  statements: Statements,
  user: string,
  kind: MemoryKind,
): Promise<{ oldest: number | null; newest: number | null }> {
  const [row] = await statements.run(
    `MATCH (memory:${KIND_LABELS[kind]}) WHERE ${IS_OF_USER}
     RETURN min(memory.timestamp) AS oldest, max(memory.timestamp) AS newest`,
    { user },
  );
  return row as { oldest: number | null; newest: number | null };
}

function toHit({ id, score }: Row): SearchHit {
  return { id: id as string, score: score as number };
}

/** Sorts hits by score, best first, and hits with the same score by id. */
function sortHits(hits: readonly SearchHit[]): SearchHit[] {
  return [...hits].sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1));
}

interface ScopeQuery {
  /** The label of the memories of this kind. */
  readonly label: string;
  /** Whether there are conditions other than user and kind. */
  readonly isFiltered: boolean;
  /** A Cypher condition on `memory`, which has the label. */
  readonly condition: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Builds the condition of a query for the memories of a scope. */
function buildScopeQuery({ userId, kind, filters = {} }: MemoryScope): ScopeQuery {
  const { sessionId, from, to, anyLabel, minWeight, maxWeight } = filters;
  const filtered: readonly (readonly [name: string, value: unknown, condition: string])[] = [
    ['session', sessionId === undefined ? undefined : keyToText(sessionId), 'memory.session = $session'],
    ['from', from, 'memory.timestamp >= $from'],
    ['to', to, 'memory.timestamp <= $to'],
    ['minWeight', minWeight, 'memory.weight >= $minWeight'],
    ['maxWeight', maxWeight, 'memory.weight <= $maxWeight'],
    ['anyLabel', anyLabel?.map(keyToText), 'any(label IN memory.labels WHERE label IN $anyLabel)'],
  ];
  const given = filtered.filter(([, value]) => value !== undefined);
  return {
    label: KIND_LABELS[kind],
    isFiltered: given.length > 0,
    condition: [IS_OF_USER, ...given.map(([, , condition]) => condition)].join(' AND '),
    parameters: {
      user: keyToText(userId),
      ...Object.fromEntries(given.map(([name, value]) => [name, value])),
    },
  };
}
