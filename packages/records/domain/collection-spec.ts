import type { RecordCollection } from '../contracts/common';
import type { RecordFields } from '../contracts/collections';
import type { FieldValue, Movement, Reference } from '../stores/record';

/** How a field is filtered: `time` and `number` by ranges too. */
export type FieldType = 'text' | 'number' | 'date' | 'time';

export interface FieldSpec<T> {
  readonly type: FieldType;
  /** For the documentation. */
  readonly description?: string;
  readonly values?: readonly string[];
  read(fields: T): FieldValue | null | undefined;
}

export interface TagSpec<T> {
  readonly description: string;
  readonly values?: readonly string[];
  read(fields: T): readonly (string | undefined)[];
}

/** The fields and tags by which records of a collection are found. Names are those of the filters. */
export interface CollectionSpec<C extends RecordCollection> {
  readonly fields: Readonly<Record<string, FieldSpec<RecordFields[C]>>>;
  readonly tags: Readonly<Record<string, TagSpec<RecordFields[C]>>>;
  /** Fields to sort by, besides `createdAt` and `updatedAt`. Every record has them. */
  readonly sorts: readonly string[];
  /** The texts in which a search for words looks. */
  text(fields: RecordFields[C]): readonly (string | undefined)[];
  references(fields: RecordFields[C]): readonly Reference[];
  movement?(id: string, fields: RecordFields[C]): Movement | null;
}

export function referenceTo(
  collection: RecordCollection,
  field: string,
  id: string | undefined,
): readonly Reference[] {
  return id === undefined ? [] : [{ field, to: { collection, id } }];
}
