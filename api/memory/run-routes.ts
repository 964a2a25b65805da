import { z } from 'zod';
import { semanticComponents } from '../../src/memory/service/create-memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { erasureAnswerSchema, toErasureAnswer } from '../../requests/answers/erasure-answer';
import type { MemoryRuns } from './memory-runs';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import type { MemoryServices } from './own-memory';

const TAG = 'Memory';
const count = z.number().int().min(0);

/** What the routes of runs over memories need of the caller's tenant. */
export interface MemoryRunServices extends MemoryServices {
  readonly runs: { readonly memory: MemoryRuns };
}

const { defineRoute } = routesWith<MemoryRunServices>();

/** The routes that start runs over many memories. */
export function memoryRunRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryRunServices>[] {
  const requests = memoryRequestSchemas(limits);
  const semantic = async ({ memory }: MemoryServices) => semanticComponents(await memory.open());
  const erase = {
    method: 'delete',
    access: 'admin',
    accessToOwn: 'memory',
    tag: TAG,
    description: 'During the erasure the memories of the user cannot be changed (409).',
    message: 'Memories cleared successfully',
    tools: async (_input: unknown, services: MemoryServices) => ['graphdb', ...(await semantic(services))],
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
      handler: async ({ params: { userId } }, context) =>
        toErasureAnswer(await context.services.runs.memory.erase(userId, context)),
    }),
    defineRoute({
      ...erase,
      path: '/api/memory/clear',
      ...documentedAs('eraseMemoriesByQuery'),
      summary: 'Erase all memories of a user whom no path can name, such as `..`',
      request: { query: requests.byUser },
      handler: async ({ query: { userId } }, context) =>
        toErasureAnswer(await context.services.runs.memory.erase(userId, context)),
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
        'Before, the words of memories are indexed as this build does, if another one has indexed them. Memories can be read and written meanwhile.',
      message: 'Memories moved successfully',
      tools: async (_input: unknown, services: MemoryServices) => [
        'graphdb',
        ...(await semantic(services)),
        'embedder',
      ],
      startsRun: true,
      request: {
        body: z.strictObject({
          again: z
            .boolean()
            .default(false)
            .describe(
              'Computes all vectors again even if the model is the same, for example because an index has lost them',
            ),
        }),
      },
      response: z.object({
        model: z.string(),
        dimensions: count,
        moved: count,
        renewed: count.optional().describe('Memories whose words were indexed anew'),
      }),
      handler: ({ body: { again } }, context) => context.services.runs.memory.reindex(again, context),
    }),
  ];
}
