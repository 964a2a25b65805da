import type { RecordCollection } from '../../../contracts/http/records/common';
import type { NewRecord, RecordKey, StoredRecord } from '../../records/record';
import type { Row, Statements } from '../connection';
import { sortable } from './sortable-text';

/** The label of the records of a collection; `HoldfastRecord` is on all of them. */
export const COLLECTION_LABELS: Readonly<Record<RecordCollection, string>> = {
  facilities: 'HoldfastFacility',
  shipments: 'HoldfastShipment',
  contaminants: 'HoldfastContaminant',
  inspections: 'HoldfastInspection',
};

/** One text for collection and id, so that one constraint and one order of locks is enough. */
export const keyText = ({ collection, id }: RecordKey): string => `${collection}/${id}`;

export function keyOf(text: string): RecordKey {
  const slash = text.indexOf('/');
  return { collection: text.slice(0, slash) as RecordCollection, id: text.slice(slash + 1) };
}

/** A field with several values is a node for each of them. */
export const tagText = (collection: RecordCollection, name: string, value: string): string =>
  `${collection}/${name}/${value}`;

const FIND = 'MATCH (record:HoldfastRecord) WHERE record.key IN $keys RETURN record.state AS state';
/** In the order of keys, which is the same in every transaction. */
const LOCK = 'UNWIND $keys AS key MATCH (record:HoldfastRecord {key: key}) SET record.lock = true';

/** All of a record in one property, so that no reader finds a version beside another one's fields. */
export function toRecords({ state }: Row): StoredRecord[] {
  return typeof state === 'string' ? [JSON.parse(state) as StoredRecord] : [];
}

export async function findRecords(
  statements: Statements,
  keys: readonly RecordKey[],
): Promise<StoredRecord[]> {
  return (await statements.run(FIND, { keys: keys.map(keyText) })).flatMap(toRecords);
}

/** Until the transaction ends nobody else changes these records, deletes them or refers to them. */
export async function lockRecords(statements: Statements, keys: readonly RecordKey[]): Promise<void> {
  await statements.run(LOCK, { keys: [...new Set(keys.map(keyText))].sort() });
}

export function storedOf(record: NewRecord, version: number): StoredRecord {
  const { collection, id, createdAt, updatedAt, body } = record;
  return { collection, id, version, createdAt, updatedAt, body };
}

/** What the node of a record has. */
export function propertiesOf(record: NewRecord, version: number): Record<string, unknown> {
  const { id, createdAt, updatedAt, text } = record;
  const fields = Object.fromEntries(
    Object.entries(record.fields).map(([name, value]) => [name, sortable(value)]),
  );
  const state = JSON.stringify(storedOf(record, version));
  return { ...fields, key: keyText(record), id: sortable(id), createdAt, updatedAt, text, state };
}
