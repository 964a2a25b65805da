import { z } from 'zod';
import type { RecordFields } from './collections';
import type { RecordCollection, RecordMetadata } from './common';

/** The last line of an export. An export without it is incomplete. No record has a field named `end`. */
export const exportEndSchema = z.strictObject({
  end: z.literal(true),
  count: z.number().int().min(0).describe('Records before it'),
});
export type ExportEnd = z.infer<typeof exportEndSchema>;

/** A record with the name of its collection, so that lines of several exports can be imported together. */
export type ExportedRecord = {
  [C in RecordCollection]: { readonly collection: C } & RecordMetadata & RecordFields[C];
}[RecordCollection];
