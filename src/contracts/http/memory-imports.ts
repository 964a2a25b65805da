import { z } from 'zod';
import { importCountsShape, importReport } from './imports';

const count = z.number().int().min(0);

const memoryImportCountsSchema = z.object({
  ...importCountsShape,
  present: count.describe('Lines whose memory existed already, which stays as it is'),
  renamed: count.describe('Memories with another id than that of their line, because it was taken'),
  unrelated: count.describe('Lines whose memory lacks a relation that they name'),
});
export type MemoryImportCounts = z.infer<typeof memoryImportCountsSchema>;

export const NO_MEMORIES_IMPORTED: MemoryImportCounts = {
  rows: 0,
  created: 0,
  present: 0,
  failed: 0,
  renamed: 0,
  unrelated: 0,
};

export const memoryImportReportSchema = importReport(memoryImportCountsSchema.shape);
