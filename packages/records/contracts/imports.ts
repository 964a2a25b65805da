import { z } from 'zod';
import { type ImportCounts, importCountsShape, importReport } from '../../../src/contracts/http/imports';
import { RECORD_COLLECTIONS, type RecordCollection, type RecordMetadata } from './common';
import type { RecordFields } from './collections';

/** The last line of an export. An export without it is incomplete. No record has a field named `end`. */
export const exportEndSchema = z.strictObject({
  end: z.literal(true),
  count: z.number().int().min(0).describe('Records before it'),
});

export const recordImportCountsSchema = z.object({
  ...importCountsShape,
  present: importCountsShape.present.describe('Rows whose record existed already, with the same fields'),
});

export const NOTHING_IMPORTED: ImportCounts = { rows: 0, created: 0, present: 0, failed: 0 };

export const importReportSchema = importReport(recordImportCountsSchema.shape);

export const importTargetSchema = z.enum(RECORD_COLLECTIONS);

/** The input of an import's run, and of the run that it continues as. */
export interface ImportInput {
  readonly importId: string;
  /** The collection of all rows; absent: each row names its own. */
  readonly collection?: z.infer<typeof importTargetSchema>;
  /** The creation time of all records of this import, ISO 8601. */
  readonly startedAt: string;
  /** Offset of the next row in the upload, bytes. */
  readonly offset: number;
  readonly counts: ImportCounts;
}

/** The outcome of one step of an import: where the next step begins, and whether the import is done. */
export interface ImportStep {
  readonly offset: number;
  readonly counts: ImportCounts;
  readonly done: boolean;
}

export type ExportEnd = z.infer<typeof exportEndSchema>;

/** A record with the name of its collection, so that lines of several exports can be imported together. */
export type ExportedRecord = {
  [C in RecordCollection]: { readonly collection: C } & RecordMetadata & RecordFields[C];
}[RecordCollection];
