import { RECORD_COLLECTIONS } from '../../contracts/common';
import type { NewRecord } from '../record';
import type { Statements } from '../../../../src/stores/neo4j/connection';
import { buildProperties } from './rows';
import type { TenantNames } from './tenant-names';
import { arrivalKeys, departureKeys } from '../adapter-support';

export interface VersionedRecord {
  readonly record: NewRecord;
  readonly version: number;
}

const REPLACE = `UNWIND $records AS properties
  MATCH (record:HoldfastRecord {key: properties.key}) SET record = properties`;
/** Deletes the relationships that a record has to others; those that others have to it stay. */
const CLEAR = `UNWIND $keys AS key
  MATCH (:HoldfastRecord {key: key})-[relation:REFERS_TO|DEPARTS_FROM|ARRIVES_AT|TAGGED]->() DELETE relation`;
const REFER = `UNWIND $references AS reference
  MATCH (record:HoldfastRecord {key: reference.from}), (target:HoldfastRecord {key: reference.to})
  CREATE (record)-[:REFERS_TO {field: reference.field}]->(target)`;
const MAKE_TAGS = 'UNWIND $tags AS tag MERGE (:HoldfastRecordTag {key: tag})';
const TAG = `UNWIND $tagged AS one
  MATCH (record:HoldfastRecord {key: one.record}), (tag:HoldfastRecordTag {key: one.tag})
  CREATE (record)-[:TAGGED]->(tag)`;
const DEPART = moveStatement('DEPARTS_FROM');
const ARRIVE = moveStatement('ARRIVES_AT');

function createStatement(label: string): string {
  return `UNWIND $records AS properties CREATE (record:HoldfastRecord:${label}) SET record = properties`;
}

function moveStatement(type: string): string {
  return `UNWIND $ways AS way
    MATCH (record:HoldfastRecord {key: way.record}), (facility:HoldfastRecord {key: way.facility})
    CREATE (record)-[:${type} {at: way.at, departure: way.departure, match: way.match, movement: way.movement}]->(facility)`;
}

/** Deletes the relationships that records have to others. */
export async function clearRelations(statements: Statements, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await statements.run(CLEAR, { keys });
}

/** Writes the nodes and relationships of records. The records that they refer to exist already or are among them. */
export async function putRecords(
  statements: Statements,
  names: TenantNames,
  puts: readonly VersionedRecord[],
): Promise<void> {
  const records = puts.map(({ record }) => record);
  const isNew = ({ version }: VersionedRecord): boolean => version === 1;
  const properties = (some: readonly VersionedRecord[]) =>
    some.map(({ record, version }) => buildProperties(names, record, version));
  const replaced = puts.filter((put) => !isNew(put));
  const runs: Promise<unknown>[] = [];
  const run = (cypher: string, name: string, rows: readonly unknown[]): void => {
    if (rows.length > 0) runs.push(statements.run(cypher, { [name]: rows }));
  };
  run(
    CLEAR,
    'keys',
    replaced.map(({ record }) => names.key(record)),
  );
  run(REPLACE, 'records', properties(replaced));
  for (const collection of RECORD_COLLECTIONS) {
    const made = puts.filter((put) => isNew(put) && put.record.collection === collection);
    run(createStatement(names.label(collection)), 'records', properties(made));
  }
  const forEach = <R>(build: (names: TenantNames, record: NewRecord) => R[]): R[] =>
    records.flatMap((record) => build(names, record));
  run(REFER, 'references', forEach(toReferences));
  const tagged = forEach(toTags);
  run(MAKE_TAGS, 'tags', [...new Set(tagged.map(({ tag }) => tag))].sort());
  run(TAG, 'tagged', tagged);
  run(DEPART, 'ways', forEach(toDeparture));
  run(ARRIVE, 'ways', forEach(toArrival));
  await Promise.all(runs);
}

function toReferences(names: TenantNames, record: NewRecord) {
  return record.references.map(({ field, to }) => ({ from: names.key(record), field, to: names.key(to) }));
}

function toTags(names: TenantNames, record: NewRecord) {
  return Object.entries(record.tags).flatMap(([name, values]) =>
    values.map((value) => ({ record: names.key(record), tag: names.tag(record.collection, name, value) })),
  );
}

function toDeparture(names: TenantNames, record: NewRecord) {
  const { movement } = record;
  if (movement === null) return [];
  const { originId, departure } = movement;
  return [toWay(names, record, originId, departure, departure, departureKeys(movement))];
}

function toArrival(names: TenantNames, record: NewRecord) {
  const { movement } = record;
  if (movement?.arrival == null) return [];
  const { destinationId, departure, arrival } = movement;
  return [toWay(names, record, destinationId, arrival, departure, arrivalKeys(movement))];
}

/** Builds a relationship that contains the whole movement, so that a step of a trace reads relationships and no nodes. */
function toWay(
  names: TenantNames,
  record: NewRecord,
  facilityId: string,
  at: string,
  departure: string,
  match: string[],
) {
  const facility = names.key({ collection: 'facilities', id: facilityId });
  return {
    record: names.key(record),
    facility,
    at,
    departure,
    match,
    movement: JSON.stringify(record.movement),
  };
}
