import type { RecordMetadata } from '../contracts/http/records/common';

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
