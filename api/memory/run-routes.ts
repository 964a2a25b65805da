import { z } from 'zod';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { semanticComponents } from '../../src/memory/service/memory-service';
import type { AnyRoute } from '../http/route';
import { defineRoute } from '../http/route';
import type { MemoryRuns } from './memory-runs';
import type { MemoryRequestLimits } from './memory-requests';
import { memoryRequestSchemas } from './memory-requests';

const TAG = 'Memory';
const count = z.number().int().min(0);

/** Work on many memories, each a run. */
export function memoryRunRoutes(
  runs: MemoryRuns,
  { use }: MemoryStores,
  limits: MemoryRequestLimits,
): AnyRoute[] {
  const requests = memoryRequestSchemas(limits);
  const semantic = () => use(({ service }) => Promise.resolve(semanticComponents(service)));
  return [
    defineRoute({
      method: 'delete',
      path: '/api/memory/clear/:userId',
      tag: TAG,
      summary: 'Forget all of a user',
      description: 'While it goes on, the memories of the user cannot be changed (409).',
      message: 'Memories cleared successfully',
      tools: async () => ['graphdb', ...(await semantic())],
      startsRun: true,
      request: { params: requests.byUser },
      response: z.object({
        cleared: z.literal(true),
        erased: z.object({
          episodic: count,
          semantic: count,
          relations: count,
          runs: count.describe('Turns of conversation, whose histories are gone too'),
        }),
        storesNotReached: count
          .optional()
          .describe(
            'Stores that were in use before an initialization and could not be asked; left out where all were',
          ),
      }),
      handler: async ({ params: { userId } }, context) => {
        const { unreached, ...erased } = await runs.erase(userId, context);
        return {
          cleared: true as const,
          erased,
          ...(unreached === 0 ? {} : { storesNotReached: unreached }),
        };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory/reindex',
      tag: TAG,
      summary: 'Move all memories to the configured embedding model',
      description: 'They are read and written meanwhile.',
      message: 'Memories moved successfully',
      tools: async () => ['graphdb', ...(await semantic()), 'embedder'],
      startsRun: true,
      request: {
        body: z.object({
          again: z
            .boolean()
            .default(false)
            .describe(
              'Makes all vectors anew also where the model is the same, as where an index has lost them',
            ),
        }),
      },
      response: z.object({ model: z.string(), dimensions: count, moved: count }),
      handler: ({ body: { again } }, context) => runs.reindex(again, context),
    }),
  ];
}
