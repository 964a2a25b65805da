import type { Movement, StoredRecord } from '../record';
import {
  type GoodsAt,
  MAX_RECORD_LIMIT,
  type MovementBounds,
  type RecordPage,
  type RecordQuery,
} from '../record-store';
import type { Statements } from '../../../../src/stores/neo4j/connection';
import { toRecords } from './rows';
import { toSortable } from './sortable-text';
import type { TenantNames } from './tenant-names';
import { wantedKeys } from '../adapter-support';

interface Match {
  /** The MATCH clause, which binds `record`. */
  readonly cypher: string;
  readonly conditions: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

export async function listRecords(
  statements: Statements,
  names: TenantNames,
  query: RecordQuery,
): Promise<RecordPage> {
  const { cypher, conditions, parameters } = buildMatch(names, query);
  const [records, [counted]] = await Promise.all([
    readRecordPage(statements, names, query),
    statements.run(`${cypher} ${where(conditions)} RETURN count(record) AS total`, parameters),
  ]);
  return { records, total: Number(counted?.['total'] ?? 0) };
}

export async function readRecordPage(
  statements: Statements,
  names: TenantNames,
  query: RecordQuery,
): Promise<StoredRecord[]> {
  const { sort, descending, after } = query;
  const match = buildMatch(names, query);
  const [comparison, direction] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const field = `record.${sort}`;
  // Neo4j uses an index of several properties only if the query has a condition on each of them.
  const place =
    after === undefined
      ? [`${field} IS NOT NULL`]
      : [
          `${field} ${comparison}= $afterValue`,
          `(${field} <> $afterValue OR record.id ${comparison} $afterId)`,
        ];
  const order = [...names.leadingFields, sort, 'id'].map((name) => `record.${name} ${direction}`).join(', ');
  const limit = Math.max(0, Math.min(query.limit, MAX_RECORD_LIMIT));
  if (limit === 0) return [];
  const rows = await statements.run(
    `${match.cypher} ${where([...match.conditions, ...place])}
     RETURN record.state AS state ORDER BY ${order} LIMIT toInteger($limit)`,
    { ...match.parameters, afterValue: toSortable(after?.value), afterId: toSortable(after?.id), limit },
  );
  return rows.flatMap(toRecords);
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Builds a match that begins at a tag if the query names one, because few records have it. */
function buildMatch(names: TenantNames, { collection, conditions: queryConditions }: RecordQuery): Match {
  const label = names.label(collection);
  const { tenant } = names.properties;
  const parameters: Record<string, unknown> = { tenant };
  const conditions = tenant === undefined ? [] : ['record.tenant = $tenant'];
  let cypher = `MATCH (record:${label})`;
  const first = queryConditions.findIndex(({ type }) => type === 'tag');
  queryConditions.forEach((condition, place) => {
    const name = `value${place}`;
    switch (condition.type) {
      case 'any':
        parameters[name] = condition.values.map(toSortable);
        conditions.push(`record.${condition.field} IN $${name}`);
        break;
      case 'min':
      case 'max':
        parameters[name] = toSortable(condition.value);
        conditions.push(`record.${condition.field} ${condition.type === 'min' ? '>=' : '<='} $${name}`);
        break;
      case 'text':
        parameters[name] = condition.words;
        conditions.push(`all(word IN $${name} WHERE record.text CONTAINS word)`);
        break;
      case 'tag':
        parameters[name] = condition.values.map((value) => names.tag(collection, condition.field, value));
        if (place === first)
          cypher = `MATCH (tag:HoldfastRecordTag)<-[:TAGGED]-(record:${label}) WHERE tag.key IN $${name} WITH DISTINCT record`;
        else
          conditions.push(
            `EXISTS { (record)-[:TAGGED]->(other:HoldfastRecordTag) WHERE other.key IN $${name} }`,
          );
        break;
    }
  });
  return { cypher, conditions, parameters };
}

/** For each direction: the relationship, the condition on time, and a text that sorts after or before every time. */
const FOLLOW = {
  departures: ['DEPARTS_FROM', 'way.at >= goods.at AND way.at < goods.known', '~'],
  arrivals: ['ARRIVES_AT', 'way.at <= goods.at AND way.at > goods.known', ''],
} as const;

/** Does what `RecordStore.departures` and `arrivals` do. */
export async function followGoods(
  statements: Statements,
  names: TenantNames,
  direction: keyof typeof FOLLOW,
  goods: readonly GoodsAt[],
  { from, to, limit }: MovementBounds,
): Promise<Movement[]> {
  const [type, inTime] = FOLLOW[direction];
  const bounds = [
    ...(from === undefined ? [] : ['way.departure >= $from']),
    ...(to === undefined ? [] : ['way.departure <= $to']),
  ];
  const rows = await statements.run(
    `UNWIND $goods AS goods
     MATCH (:HoldfastRecord {key: goods.facility})<-[way:${type}]-()
     WHERE ${inTime}
       AND any(key IN way.match WHERE key IN goods.keys) ${bounds.map((bound) => `AND ${bound}`).join(' ')}
     RETURN DISTINCT way.movement AS movement LIMIT toInteger($limit)`,
    { goods: groupByFacility(names, direction, goods), from, to, limit },
  );
  return rows.map(({ movement }) => JSON.parse(movement as string) as Movement);
}

/** Groups goods by facility, so that the query reads the movements of a facility once for all lots that are followed there. */
function groupByFacility(names: TenantNames, direction: keyof typeof FOLLOW, goods: readonly GoodsAt[]) {
  const unbounded = FOLLOW[direction][2];
  const isForward = direction === 'departures';
  const earlier = (a: string, b: string): string => (a < b ? a : b);
  const later = (a: string, b: string): string => (a > b ? a : b);
  const groups = new Map<string, { at: string; known: string; keys: Set<string> }>();
  for (const one of goods) {
    const { facilityId, at, known = unbounded } = one;
    const group = groups.get(facilityId) ?? { at, known, keys: new Set<string>() };
    for (const key of wantedKeys(one)) group.keys.add(key);
    groups.set(facilityId, {
      at: isForward ? earlier(at, group.at) : later(at, group.at),
      known: isForward ? later(known, group.known) : earlier(known, group.known),
      keys: group.keys,
    });
  }
  return [...groups].map(([id, { at, known, keys }]) => ({
    facility: names.key({ collection: 'facilities', id }),
    at,
    known,
    keys: [...keys],
  }));
}

export async function findMovements(
  statements: Statements,
  names: TenantNames,
  ids: readonly string[],
): Promise<Movement[]> {
  const rows = await statements.run(
    `MATCH (record:HoldfastRecord)-[way:DEPARTS_FROM]->() WHERE record.key IN $keys RETURN way.movement AS movement`,
    { keys: ids.map((id) => names.key({ collection: 'shipments', id })) },
  );
  return rows.map(({ movement }) => JSON.parse(movement as string) as Movement);
}
