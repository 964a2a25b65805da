import type { RecordMetadata } from '../contracts/http/records/common';

/**
 * The entity tag of a record. The time of its creation is in it, because an id may be used again after a deletion, and
 * its versions begin anew then.
 */
export function entityTagOf({ version, createdAt }: Pick<RecordMetadata, 'version' | 'createdAt'>): string {
  return `"${Date.parse(createdAt).toString(36)}.${version}"`;
}

/** Whether one of the tags is the record's; `*` is any. Weak tags are none, as `If-Match` wants it (RFC 9110, 13.1.1). */
export function matches(tags: readonly string[] | undefined, record: RecordMetadata): boolean {
  return tags === undefined || tags.includes('*') || tags.includes(entityTagOf(record));
}
