import type { NewRecord, RecordKey, StoredRecord } from '../record';
import type { Row, Statements } from '../../../../src/stores/neo4j/connection';
import { toSortable } from './sortable-text';
import type { TenantNames } from './tenant-names';

const FIND = 'MATCH (record:HoldfastRecord) WHERE record.key IN $keys RETURN record.state AS state';
const PRESENT =
  'MATCH (record:HoldfastRecord) WHERE record.key IN $keys AND record.state IS NOT NULL RETURN record.key AS key';
/** Every transaction takes its locks in the order of keys, to avoid deadlocks. */
const LOCK = 'UNWIND $keys AS key MATCH (record:HoldfastRecord {key: key}) SET record.lock = true';

/** Reads the record of a row from one property, so that no reader gets the version of one write with the fields of another. */
export function toRecords({ state }: Row): StoredRecord[] {
  return typeof state === 'string' ? [JSON.parse(state) as StoredRecord] : [];
}

export async function findRecords(
  statements: Statements,
  names: TenantNames,
  keys: readonly RecordKey[],
): Promise<StoredRecord[]> {
  return (await statements.run(FIND, { keys: keys.map((key) => names.key(key)) })).flatMap(toRecords);
}

/** Finds out which records exist, by their keys in the database, without reading the records: one may have megabytes. */
export async function findPresent(
  statements: Statements,
  names: TenantNames,
  keys: readonly RecordKey[],
): Promise<Set<string>> {
  const rows = await statements.run(PRESENT, { keys: [...new Set(keys.map((key) => names.key(key)))] });
  return new Set(rows.map(({ key }) => key as string));
}

/** Locks records: until the transaction ends, no other one changes them, deletes them or refers to them. */
export async function lockRecords(
  statements: Statements,
  names: TenantNames,
  keys: readonly RecordKey[],
): Promise<void> {
  await statements.run(LOCK, { keys: [...new Set(keys.map((key) => names.key(key)))].sort() });
}

export function toStoredRecord(record: NewRecord, version: number): StoredRecord {
  const { collection, id, createdAt, updatedAt, body } = record;
  return { collection, id, version, createdAt, updatedAt, body };
}

/** The properties of a record's node. */
export function buildProperties(
  names: TenantNames,
  record: NewRecord,
  version: number,
): Record<string, unknown> {
  const { id, createdAt, updatedAt, text } = record;
  const fields = Object.fromEntries(
    Object.entries(record.fields).map(([name, value]) => [name, toSortable(value)]),
  );
  const key = names.key(record);
  const state = JSON.stringify(toStoredRecord(record, version));
  return { ...names.properties, ...fields, key, id: toSortable(id), createdAt, updatedAt, text, state };
}
