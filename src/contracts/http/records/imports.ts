import { z } from 'zod';
import { RECORD_COLLECTIONS, timeSchema } from './common';

const count = z.number().int().min(0);

export const importCountsSchema = z.object({
  rows: count.describe('Rows looked at'),
  created: count,
  present: count.describe('Rows whose record was there already, with the same fields'),
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
    .describe('`failed`: its run ended before all rows were looked at, or is not known any more'),
  startedAt: timeSchema,
  ...importCountsSchema.shape,
  bytesDone: count,
  bytesTotal: count,
  errors: z.array(importErrorSchema).describe('The first 1,000 of them, in the order of rows'),
});
export type ImportReport = z.infer<typeof importReportSchema>;

export const importTargetSchema = z.enum(RECORD_COLLECTIONS);

/** An import as its run goes on with it. */
export interface ImportInput {
  readonly importId: string;
  /** Of all rows; absent: each row names its own. */
  readonly collection?: z.infer<typeof importTargetSchema>;
  /** The time at which records of this import are made, ISO 8601. */
  readonly startedAt: string;
  /** Where the next row begins, bytes; and how many came before. */
  readonly offset: number;
  readonly counts: ImportCounts;
}

/** A stretch of an import: what is left of it, and whether anything is. */
export interface ImportStep {
  readonly offset: number;
  readonly counts: ImportCounts;
  readonly done: boolean;
}
