import type { RecordCollection } from '../../../contracts/http/records/common';
import type { NewRecord, RecordKey, StoredRecord } from '../../records/record';
import type { Row, Statements } from '../connection';
import { toSortable } from './sortable-text';

/** The label of the records of a collection. All of them have the label `HoldfastRecord` too. */
export const COLLECTION_LABELS: Readonly<Record<RecordCollection, string>> = {
  facilities: 'HoldfastFacility',
  shipments: 'HoldfastShipment',
  contaminants: 'HoldfastContaminant',
  inspections: 'HoldfastInspection',
};

/** Collection and id as one text, so that one constraint and one order of locks are enough. */
export const keyText = ({ collection, id }: RecordKey): string => `${collection}/${id}`;

export function parseKey(text: string): RecordKey {
  const slash = text.indexOf('/');
  return { collection: text.slice(0, slash) as RecordCollection, id: text.slice(slash + 1) };
}

/** The key of a tag node: a field with several values has one such node for each value. */
export const tagText = (collection: RecordCollection, name: string, value: string): string =>
  `${collection}/${name}/${value}`;

const FIND = 'MATCH (record:HoldfastRecord) WHERE record.key IN $keys RETURN record.state AS state';
/** Every transaction takes its locks in the order of keys, to avoid deadlocks. */
const LOCK = 'UNWIND $keys AS key MATCH (record:HoldfastRecord {key: key}) SET record.lock = true';

/** Reads the record of a row from one property, so that no reader gets the version of one write with the fields of another. */
export function toRecords({ state }: Row): StoredRecord[] {
  return typeof state === 'string' ? [JSON.parse(state) as StoredRecord] : [];
}

export async function findRecords(
  statements: Statements,
  keys: readonly RecordKey[],
): Promise<StoredRecord[]> {
  return (await statements.run(FIND, { keys: keys.map(keyText) })).flatMap(toRecords);
}

/** Locks records: until the transaction ends, no other one changes them, deletes them or refers to them. */
export async function lockRecords(statements: Statements, keys: readonly RecordKey[]): Promise<void> {
  await statements.run(LOCK, { keys: [...new Set(keys.map(keyText))].sort() });
}

export function toStoredRecord(record: NewRecord, version: number): StoredRecord {
  const { collection, id, createdAt, updatedAt, body } = record;
  return { collection, id, version, createdAt, updatedAt, body };
}

/** The properties of a record's node. */
export function buildProperties(record: NewRecord, version: number): Record<string, unknown> {
  const { id, createdAt, updatedAt, text } = record;
  const fields = Object.fromEntries(
    Object.entries(record.fields).map(([name, value]) => [name, toSortable(value)]),
  );
  const state = JSON.stringify(toStoredRecord(record, version));
  return { ...fields, key: keyText(record), id: toSortable(id), createdAt, updatedAt, text, state };
}
