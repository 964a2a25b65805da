import { z } from 'zod';
import { episodicMemorySchema, semanticMemorySchema } from '../../src/contracts/http/memory';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { queryLimitSchema } from '../http/limit-schema';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';

const DEFAULT_LIMIT = 50;

/** The route that lists all memories of a user in pages. */
export function memoryListingRoutes({ use }: MemoryStores, limits: MemoryRequestLimits): AnyRoute[] {
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
      handler: async ({ params: { userId }, query: { type, ...page } }) => {
        const { memories, next } = await use(async ({ service }) => {
          if (type === 'semantic') service.semantic();
          return service.listing.page({ userId, kind: type, ...page });
        });
        return { memories: [...memories], next };
      },
    }),
  ];
}
