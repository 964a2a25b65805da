import { z } from 'zod';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { semanticComponents } from '../../src/memory/service/memory-service';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { erasureAnswerSchema, toErasureAnswer } from './erasure-answer';
import type { MemoryRuns } from './memory-runs';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';

const TAG = 'Memory';
const count = z.number().int().min(0);

/** The routes that start runs over many memories. */
export function memoryRunRoutes(
  runs: MemoryRuns,
  { use }: MemoryStores,
  limits: MemoryRequestLimits,
): AnyRoute[] {
  const requests = memoryRequestSchemas(limits);
  const semantic = () => use(({ service }) => Promise.resolve(semanticComponents(service)));
  const erase = {
    method: 'delete',
    access: 'admin',
    accessToOwn: 'memory',
    tag: TAG,
    description: 'During the erasure the memories of the user cannot be changed (409).',
    message: 'Memories cleared successfully',
    tools: async () => ['graphdb', ...(await semantic())],
    startsRun: true,
    response: erasureAnswerSchema,
  } as const;
  return [
    defineRoute({
      ...erase,
      path: '/api/memory/clear/:userId',
      ...documentedAs('eraseMemories'),
      summary: 'Erase all memories of a user',
      request: { params: requests.byUser },
      handler: async ({ params: { userId } }, context) => toErasureAnswer(await runs.erase(userId, context)),
    }),
    defineRoute({
      ...erase,
      path: '/api/memory/clear',
      ...documentedAs('eraseMemoriesByQuery'),
      summary: 'Erase all memories of a user whom no path can name, such as `..`',
      request: { query: requests.byUser },
      handler: async ({ query: { userId } }, context) => toErasureAnswer(await runs.erase(userId, context)),
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory/reindex',
      ...documentedAs('reindexMemories'),
      access: 'admin',
      concerns: 'service',
      tag: TAG,
      summary: 'Embed all memories with the configured embedding model',
      description:
        'Before, the words of memories are indexed as this build does, where another one has indexed them. Memories can be read and written meanwhile.',
      message: 'Memories moved successfully',
      tools: async () => ['graphdb', ...(await semantic()), 'embedder'],
      startsRun: true,
      request: {
        body: z.strictObject({
          again: z
            .boolean()
            .default(false)
            .describe(
              'Computes all vectors again even where the model is the same, for example because an index has lost them',
            ),
        }),
      },
      response: z.object({
        model: z.string(),
        dimensions: count,
        moved: count,
        renewed: count.optional().describe('Memories whose words were indexed anew'),
      }),
      handler: ({ body: { again } }, context) => runs.reindex(again, context),
    }),
  ];
}
