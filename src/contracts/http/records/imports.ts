import { z } from 'zod';
import { RECORD_COLLECTIONS, timeSchema } from './common';

const count = z.number().int().min(0);

export const importCountsSchema = z.object({
  rows: count.describe('Rows that were read'),
  created: count,
  present: count.describe('Rows whose record existed already, with the same fields'),
  failed: count,
});
export type ImportCounts = z.infer<typeof importCountsSchema>;

export const NOTHING_IMPORTED: ImportCounts = { rows: 0, created: 0, present: 0, failed: 0 };

export const importErrorSchema = z.object({
  line: z.number().int().min(1),
  error: z.string(),
  message: z.string(),
  field: z.string().optional(),
});
export type ImportError = z.infer<typeof importErrorSchema>;

export const importReportSchema = z.object({
  id: z.string(),
  state: z
    .enum(['running', 'completed', 'failed'])
    .describe('`failed`: its run ended before all rows were read, or Temporal does not know it any more'),
  startedAt: timeSchema,
  ...importCountsSchema.shape,
  bytesDone: count,
  bytesTotal: count,
  errors: z.array(importErrorSchema).describe('The first 1,000 errors, in the order of rows'),
});
export type ImportReport = z.infer<typeof importReportSchema>;

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
