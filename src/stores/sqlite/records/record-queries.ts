import type { Movement, StoredRecord } from '../../records/record';
import { wantedKeys } from '../../records/match-keys';
import type {
  GoodsAt,
  MovementBounds,
  RecordCondition,
  RecordPage,
  RecordQuery,
} from '../../records/record-store';
import { MAX_RECORD_LIMIT } from '../../records/record-store';
import type { SqliteDatabase } from '../database';
import type { RecordRow } from './record-tables';
import { RECORD_COLUMNS, toRecord } from './record-tables';

interface Clause {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Lists on one connection; the records and their number are of one moment within a transaction alone. */
export function listRecords(database: SqliteDatabase, query: RecordQuery): RecordPage {
  const { collection, conditions } = query;
  const counted = where(conditions.map((condition) => clauseOf(collection, condition)));
  const total = database
    .prepare<unknown[], number>(`SELECT count(*) FROM ${collection} ${counted.sql}`)
    .pluck()
    .get(...counted.values);
  return { records: readRecordPage(database, query), total: total ?? 0 };
}

export function readRecordPage(database: SqliteDatabase, query: RecordQuery): StoredRecord[] {
  const { collection, sort, descending, after } = query;
  const clauses = query.conditions.map((condition) => clauseOf(collection, condition));
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

function clauseOf(collection: string, condition: RecordCondition): Clause {
  switch (condition.type) {
    case 'any':
      return { sql: `"${condition.field}" IN (${marks(condition.values)})`, values: condition.values };
    case 'tag':
      return {
        sql: `id IN (SELECT id FROM tags WHERE collection = ? AND name = ? AND value IN (${marks(condition.values)}))`,
        values: [collection, condition.field, ...condition.values],
      };
    case 'min':
      return { sql: `"${condition.field}" >= ?`, values: [condition.value] };
    case 'max':
      return { sql: `"${condition.field}" <= ?`, values: [condition.value] };
    case 'text':
      return {
        // By the index of texts, which is much smaller than the table.
        sql: `key IN (SELECT key FROM ${collection} WHERE ${condition.words.map(() => 'instr(text, ?) > 0').join(' AND ')})`,
        values: condition.words,
      };
  }
}

/** With what stands for no bound: before and behind every time. */
const FOLLOW = {
  departures: ['departures', 'found.at >= wanted.value ->> 2 AND found.at < wanted.value ->> 3', '~'],
  arrivals: ['arrivals', 'found.at <= wanted.value ->> 2 AND found.at > wanted.value ->> 3', ''],
} as const;

/** Ways from or to facilities, as `RecordStore.departures` and `arrivals`. */
export function followGoods(
  database: SqliteDatabase,
  direction: keyof typeof FOLLOW,
  goods: readonly GoodsAt[],
  { from, to, limit }: MovementBounds,
): Movement[] {
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
      `SELECT movement FROM shipments WHERE id IN (
         SELECT found.shipment FROM json_each(?) AS wanted
         JOIN ${table} AS found
           ON found.facility = wanted.value ->> 0 AND found.match = wanted.value ->> 1 AND ${inTime}
       ) ${bounds.map(({ sql }) => `AND ${sql}`).join(' ')} LIMIT ?`,
    )
    .pluck()
    .all(JSON.stringify(wanted), ...bounds.flatMap(({ values }) => values), limit)
    .map((movement) => JSON.parse(movement) as Movement);
}
