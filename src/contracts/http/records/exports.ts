import { z } from 'zod';
import type { RecordFields } from './collections';
import type { RecordCollection, RecordMetadata } from './common';

/** The last line of an export, which is not whole without it. No record has a field of this name. */
export const exportEndSchema = z.strictObject({
  end: z.literal(true),
  count: z.number().int().min(0).describe('Records before it'),
});
export type ExportEnd = z.infer<typeof exportEndSchema>;

/** A record that says of which collection it is, so that lines of several exports may be one import. */
export type ExportedRecord = {
  [C in RecordCollection]: { readonly collection: C } & RecordMetadata & RecordFields[C];
}[RecordCollection];
