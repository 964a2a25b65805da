import type { RecordCollection } from '../contracts/http/records/common';
import type { RecordFields, RecordOf } from '../contracts/http/records/collections';
import { type FieldValue, type NewRecord, searchText, type StoredRecord } from '../stores/records/record';
import { COLLECTION_SPECS } from './collections';

export interface Stamp {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A record in the form of the store. */
export function toNewRecord<C extends RecordCollection>(
  collection: C,
  { id, createdAt, updatedAt }: Stamp,
  body: RecordFields[C],
): NewRecord {
  const spec = COLLECTION_SPECS[collection];
  const fields: Record<string, FieldValue | null> = {};
  for (const [name, { read }] of Object.entries(spec.fields)) fields[name] = read(body) ?? null;
  const tags: Record<string, readonly string[]> = {};
  for (const [name, { read }] of Object.entries(spec.tags)) {
    tags[name] = [...new Set(read(body).filter((value) => value !== undefined))];
  }
  return {
    collection,
    id,
    createdAt,
    updatedAt,
    body: body,
    fields,
    tags,
    text: searchText(spec.text(body)),
    references: spec.references(body),
    movement: spec.movement?.(id, body) ?? null,
  };
}

/** A record as callers see it. */
export function toRecord<C extends RecordCollection>(record: StoredRecord): RecordOf<C> {
  const { id, version, createdAt, updatedAt, body } = record;
  return { id, ...body, version, createdAt, updatedAt } as unknown as RecordOf<C>;
}
