import { z } from 'zod';

const count = z.number().int().min(0);

/** The numbers of rows of every import. */
export const importCountsShape = {
  rows: count.describe('Rows that were read'),
  created: count,
  present: count,
  failed: count,
};
export type ImportCounts = z.infer<z.ZodObject<typeof importCountsShape>>;

export const importErrorSchema = z.object({
  line: z.number().int().min(1),
  error: z.string(),
  message: z.string(),
  field: z.string().optional(),
});
export type ImportError = z.infer<typeof importErrorSchema>;

export const IMPORT_STATES = ['running', 'completed', 'cancelled', 'failed'] as const;

/** Builds the schema of an import's report from its counts. */
export function importReport<S extends typeof importCountsShape>(counts: S) {
  return z.object({
    id: z.string(),
    state: z
      .enum(IMPORT_STATES)
      .describe(
        '`cancelled`, `failed`: its run ended before all rows were read; `failed` also if Temporal does not know it any more',
      ),
    startedAt: z.iso.datetime({ offset: true }),
    ...counts,
    bytesDone: count,
    bytesTotal: count,
    errors: z.array(importErrorSchema).describe('The first 1,000 errors, in the order of rows'),
  });
}

/** How far an import is, with these counts. */
export type ImportProgress<C extends ImportCounts = ImportCounts> = C & {
  readonly id: string;
  readonly state: (typeof IMPORT_STATES)[number];
  /** ISO 8601. */
  readonly startedAt: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
};

export type ImportReport<C extends ImportCounts = ImportCounts> = ImportProgress<C> & {
  readonly errors: ImportError[];
};
