import type { StoredRecord } from '../record';
import {
  type GoodsAt,
  MAX_RECORD_LIMIT,
  type MovementBounds,
  type RecordCondition,
  type RecordPage,
  type RecordQuery,
} from '../record-store';
import type { SqliteDatabase } from '../../../../src/stores/sqlite/database';
import { RECORD_COLUMNS, type RecordRow, toRecord } from './record-tables';
import { wantedKeys } from '../adapter-support';

interface Clause {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Lists records and counts them. Both are of one moment only if the caller runs this in a transaction. */
export function listRecords(database: SqliteDatabase, query: RecordQuery): RecordPage {
  const { collection, conditions } = query;
  const counted = where(conditions.map((condition) => toClause(collection, condition)));
  const total = database
    .prepare<unknown[], number>(`SELECT count(*) FROM ${collection} ${counted.sql}`)
    .pluck()
    .get(...counted.values);
  return { records: readRecordPage(database, query), total: total ?? 0 };
}

export function readRecordPage(database: SqliteDatabase, query: RecordQuery): StoredRecord[] {
  const { collection, sort, descending, after } = query;
  const clauses = query.conditions.map((condition) => toClause(collection, condition));
  const [comparison, direction] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const place: Clause[] =
    after === undefined
      ? []
      : [{ sql: `("${sort}", id) ${comparison} (?, ?)`, values: [after.value, after.id] }];
  const paged = where([...clauses, ...place]);
  const limit = Math.max(0, Math.min(query.limit, MAX_RECORD_LIMIT));
  const rows = database
    .prepare<unknown[], RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM ${collection} ${paged.sql}
       ORDER BY "${sort}" ${direction}, id ${direction} LIMIT ?`,
    )
    .all(...paged.values, limit);
  return rows.map((row) => toRecord(collection, row));
}

function where(clauses: readonly Clause[]): Clause {
  return {
    sql: clauses.length === 0 ? '' : `WHERE ${clauses.map(({ sql }) => sql).join(' AND ')}`,
    values: clauses.flatMap(({ values }) => values),
  };
}

function toClause(collection: string, condition: RecordCondition): Clause {
  switch (condition.type) {
    case 'any':
      return { sql: `"${condition.field}" IN (${placeholders(condition.values)})`, values: condition.values };
    case 'tag':
      return {
        sql: `id IN (SELECT id FROM tags WHERE collection = ? AND name = ? AND value IN (${placeholders(condition.values)}))`,
        values: [collection, condition.field, ...condition.values],
      };
    case 'min':
      return { sql: `"${condition.field}" >= ?`, values: [condition.value] };
    case 'max':
      return { sql: `"${condition.field}" <= ?`, values: [condition.value] };
    case 'text':
      return {
        // The subquery reads the index of texts, which is much smaller than the table.
        sql: `key IN (SELECT key FROM ${collection} WHERE ${condition.words.map(() => 'instr(text, ?) > 0').join(' AND ')})`,
        values: condition.words,
      };
  }
}

/** For each direction: the table, the condition on time, and a text that sorts after or before every time. */
const FOLLOW = {
  departures: ['departures', 'found.at >= wanted.value ->> 2 AND found.at < wanted.value ->> 3', '~'],
  arrivals: ['arrivals', 'found.at <= wanted.value ->> 2 AND found.at > wanted.value ->> 3', ''],
} as const;

/** Finds the shipments of movements from or to facilities, as `RecordStore.departures` and `arrivals` do. */
export function followGoods(
  database: SqliteDatabase,
  direction: keyof typeof FOLLOW,
  goods: readonly GoodsAt[],
  { from, to, limit }: MovementBounds,
): string[] {
  const [table, inTime, unbounded] = FOLLOW[direction];
  const wanted = goods.flatMap((one) =>
    wantedKeys(one).map((key) => [one.facilityId, key, one.at, one.known ?? unbounded]),
  );
  const bounds: Clause[] = [
    ...(from === undefined ? [] : [{ sql: `shipments."departureAt" >= ?`, values: [from] }]),
    ...(to === undefined ? [] : [{ sql: `shipments."departureAt" <= ?`, values: [to] }]),
  ];
  return database
    .prepare<unknown[], string>(
      `SELECT id FROM shipments WHERE id IN (
         SELECT found.shipment FROM json_each(?) AS wanted
         JOIN ${table} AS found
           ON found.facility = wanted.value ->> 0 AND found.match = wanted.value ->> 1 AND ${inTime}
       ) ${bounds.map(({ sql }) => `AND ${sql}`).join(' ')} LIMIT ?`,
    )
    .pluck()
    .all(JSON.stringify(wanted), ...bounds.flatMap(({ values }) => values), limit);
}
