import { z } from 'zod';

const count = z.number().int().min(0);
const time = z.string().describe('ISO 8601');

const sessionSummarySchema = z.object({
  sessionId: z.string(),
  messages: count,
  from: time,
  to: time,
  summary: z.string(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** What a consolidation did, or would do. */
export const consolidationReportSchema = z.object({
  dryRun: z.boolean(),
  id: z.string().optional().describe('The id by which it is undone; absent in a dry run'),
  compared: z
    .object({ episodic: count, semantic: count })
    .describe('How many memories were compared; at most 20,000 of each kind, the latest'),
  duplicates: z
    .array(z.object({ kept: z.string(), archived: z.array(z.string()) }))
    .describe('Memories that say the same: the one that stays, and the others'),
  superseded: z.array(z.string()).describe('Memories that say only what holds no more'),
  replaced: z.array(z.string()).describe('Archived summaries in whose place newer ones come'),
  sessions: z.array(sessionSummarySchema).describe('Long sessions that were summarised'),
  archived: count,
  changed: count.describe('Memories that stay because somebody changed them during the run'),
  more: z.boolean().describe('Whether another run would find more'),
  undoableUntil: time.optional().describe('Absent in a dry run'),
});
export type ConsolidationReport = z.infer<typeof consolidationReportSchema>;
