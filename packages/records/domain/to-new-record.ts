import type { RecordCollection, RecordMetadata } from '../contracts/common';
import type { RecordFields, RecordOf } from '../contracts/collections';
import { type FieldValue, type NewRecord, searchText, type StoredRecord } from '../stores/record';
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

/**
 * The entity tag of a record. It includes the time of creation, because an id may be used again after a deletion, and
 * its versions begin anew then.
 */
export function entityTagOf({ version, createdAt }: Pick<RecordMetadata, 'version' | 'createdAt'>): string {
  return `"${Date.parse(createdAt).toString(36)}.${version}"`;
}

/**
 * Whether one of the tags is the record's; `*` matches any. Weak tags never match, as `If-Match` demands (RFC 9110,
 * 13.1.1).
 */
export function matchesEntityTag(tags: readonly string[] | undefined, record: RecordMetadata): boolean {
  return tags === undefined || tags.includes('*') || tags.includes(entityTagOf(record));
}
