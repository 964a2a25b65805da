import { z } from 'zod';
import {
  episodicMemorySchema,
  semanticMemorySchema,
  exportedMemorySchema,
} from '../../src/contracts/http/memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith, type StreamContext, type StreamedAnswer } from '../http/route';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import type { MemoryServices } from './own-memory';
import { queryLimitSchema } from '../../requests/request-options';
import { NDJSON, ndjson } from '../http/send-stream';

const { defineRoute, defineStreamRoute } = routesWith<MemoryServices>();

const DEFAULT_LIMIT = 50;

/** The route that lists all memories of a user in pages. */
export function memoryListingRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryServices>[] {
  const requests = memoryRequestSchemas(limits);
  const max = limits.MEMORY_MAX_RESULTS;
  const query = z.strictObject({
    type: z.enum(['episodic', 'semantic']).default('episodic'),
    order: z.enum(['newest-first', 'oldest-first']).default('newest-first'),
    limit: queryLimitSchema(max, 'MEMORY_MAX_RESULTS').default(Math.min(DEFAULT_LIMIT, max)),
    cursor: z.string().max(200).optional().describe('`next` of the previous page'),
  });
  return [
    defineRoute({
      method: 'get',
      path: '/api/memory/list/:userId',
      ...documentedAs('listMemories'),
      access: 'memory',
      tag: 'Memory',
      summary: 'All memories of a user, page by page',
      description: 'Pages stay consistent while memories are added and removed. Reads are not counted.',
      message: ({ memories }) => `Found ${memories.length} memories`,
      tools: (input) => [input.query.type === 'episodic' ? 'graphdb' : 'vectordb'],
      request: { params: requests.byUser, query },
      response: z.object({
        memories: z.array(z.union([episodicMemorySchema, semanticMemorySchema])),
        next: z.string().optional().describe('Cursor of the next page; absent on the last page'),
      }),
      handler: async ({ params: { userId }, query: { type, ...page } }, { services }) => {
        const memory = await services.memory.open();
        if (type === 'semantic') memory.semantic();
        const { memories, next } = await memory.listing.page({ userId, kind: type, ...page });
        return { memories: [...memories], next };
      },
    }),
  ];
}

/** The routes that export all memories of a user. */
export function memoryExportRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryServices>[] {
  const { byUser } = memoryRequestSchemas(limits);
  const route = {
    method: 'get',
    access: 'memory',
    tag: 'Memory',
    description: 'An export without the line of kind `end` is incomplete. Reads are not counted.',
    streams: { [NDJSON]: exportedMemorySchema },
  } as const;
  const send = (userId: string, { services, signal }: StreamContext<MemoryServices>): StreamedAnswer => ({
    mediaType: NDJSON,
    fileName: 'memories.ndjson',
    chunks: ndjson(exportAll(services, userId, signal())),
  });
  return [
    defineStreamRoute({
      ...route,
      path: '/api/memory/export/:userId',
      ...documentedAs('exportMemories'),
      summary: 'All memories of a user, one per line',
      request: { params: byUser },
      handler: ({ params: { userId } }, context) => send(userId, context),
    }),
    defineStreamRoute({
      ...route,
      path: '/api/memory/export',
      ...documentedAs('exportMemoriesByQuery'),
      summary: 'All memories of a user whom no path can name, such as `..`',
      request: { query: byUser },
      handler: ({ query: { userId } }, context) => send(userId, context),
    }),
  ];
}

async function* exportAll({ memory }: MemoryServices, userId: string, signal: AbortSignal) {
  yield* (await memory.open()).exportAll(userId, signal);
}
