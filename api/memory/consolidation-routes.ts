import { z } from 'zod';
import { consolidationReportSchema } from '../../src/contracts/http/consolidations';
import { semanticComponents } from '../../src/memory/service/create-memory';
import { UNDOABLE_MS } from '../../src/memory/upkeep/archive';
import { LONG_SESSION } from '../../src/memory/upkeep/pass';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import type { ConsolidationRuns } from './consolidation-runs';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import type { MemoryServices } from './own-memory';

const TAG = 'Memory';
const count = z.number().int().min(0);
const time = z.string().describe('ISO 8601');

const requestSchema = z.strictObject({
  dryRun: z.boolean().default(false).describe('Reports what a run would do now, and changes nothing'),
  before: z.iso
    .datetime({ offset: true, message: 'must be an ISO 8601 date and time' })
    .optional()
    .describe('Memories that were stored later stay as they are; default now'),
  longSession: count
    .min(10)
    .max(10_000)
    .default(LONG_SESSION)
    .describe('The number of messages from which on a session is summarised'),
});

const consolidationSchema = z.object({
  id: z.string(),
  at: time,
  archived: count.optional().describe('Absent if its run has not ended'),
  summaries: count,
  undoableUntil: time,
  undoneAt: time.optional(),
});

/** What the routes of consolidations need of the caller's tenant. */
export interface ConsolidationServices extends MemoryServices {
  readonly runs: { readonly consolidations: ConsolidationRuns };
}

const { defineRoute } = routesWith<ConsolidationServices>();

/** The routes that consolidate the memories of a user. */
export function consolidationRoutes(limits: MemoryRequestLimits): AnyRoute<ConsolidationServices>[] {
  const { byUser } = memoryRequestSchemas(limits);
  const tools = async (_input: unknown, { memory }: MemoryServices) => [
    'graphdb',
    ...semanticComponents(await memory.open()),
    'embedder',
  ];
  return [
    defineRoute({
      method: 'post',
      path: '/api/memory/consolidate/:userId',
      ...documentedAs('consolidateMemories'),
      access: 'memory',
      tag: TAG,
      summary: 'Archive repetitions and what holds no more, and summarise long sessions',
      description: 'What it archives can be restored for a week.',
      message: ({ dryRun }) => (dryRun ? 'Nothing was changed' : 'Memories consolidated successfully'),
      tools,
      startsRun: true,
      request: { params: byUser, body: requestSchema },
      response: consolidationReportSchema,
      handler: ({ params: { userId }, body }, context) =>
        context.services.runs.consolidations.consolidate(userId, body, context),
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/consolidations/:userId',
      ...documentedAs('listConsolidations'),
      access: 'memory',
      tag: TAG,
      summary: "The consolidations of a user's memories in the last 30 days, the latest first",
      message: ({ consolidations }) => `Found ${consolidations.length} consolidations`,
      tools: () => [],
      request: { params: byUser },
      response: z.object({ consolidations: z.array(consolidationSchema) }),
      handler: async ({ params: { userId } }, { services }) => {
        const listed = await (await services.memory.open()).consolidations.list(userId);
        const date = (at: number): string => new Date(at).toISOString();
        return {
          consolidations: listed.map(({ id, at, archived, summaries = [], undoneAt }) => ({
            id,
            at: date(at),
            archived,
            summaries: summaries.length,
            undoableUntil: date(at + UNDOABLE_MS),
            ...(undoneAt === undefined ? {} : { undoneAt: date(undoneAt) }),
          })),
        };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory/consolidations/:userId/:id/undo',
      ...documentedAs('undoConsolidation'),
      access: 'memory',
      tag: TAG,
      summary: 'Restore the memories that a consolidation archived, and remove its summaries',
      message: 'Consolidation undone successfully',
      tools,
      startsRun: true,
      request: { params: byUser.extend({ id: z.string().min(1).max(200) }), body: z.strictObject({}) },
      response: z.object({ id: z.string(), restored: count }),
      handler: ({ params: { userId, id: consolidationId } }, context) =>
        context.services.runs.consolidations.undo({ userId, consolidationId }, context),
    }),
  ];
}
