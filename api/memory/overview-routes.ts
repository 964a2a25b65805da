import type { Config } from '../../src/settings/config';
import {
  type MemoryComponent,
  memoryContextSchema,
  memoryStatsSchema,
  relatedMemoriesSchema,
} from '../../src/contracts/http/memory';
import { semanticComponents } from '../../src/memory/service/create-memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { factsQuery } from './fact-requests';
import { searchRoute } from './search-route';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import { type MemoryServices, ofOwnMemory } from './own-memory';

const { defineRoute } = routesWith<MemoryServices>();

const TAG = 'Memory';
const contextQuery = factsQuery.pick({ asOf: true, history: true });

/** The routes over both kinds of memories. */
export function memoryRoutes(
  limits: MemoryRequestLimits & Pick<Config, 'MEMORY_MAX_CONTEXT_MEMORIES'>,
): AnyRoute<MemoryServices>[] {
  const requests = memoryRequestSchemas(limits);
  const checkOwner = ofOwnMemory('memoryId');
  const both = async (_input: unknown, { memory }: MemoryServices): Promise<readonly MemoryComponent[]> => [
    'graphdb',
    ...semanticComponents(await memory.open()),
  ];

  return [
    searchRoute(
      { path: '/api/memory/search', operationId: 'searchMemories', tag: TAG, body: requests.search },
      limits,
    ),
    defineRoute({
      method: 'get',
      path: '/api/memory/context/:userId/:sessionId',
      ...documentedAs('getMemoryContext'),
      access: 'memory',
      tag: TAG,
      summary: 'Memories that are relevant for the next turn of a conversation',
      message: 'Memory context retrieved successfully',
      tools: async (input, services) => [...(await both(input, services)), 'embedder'],
      request: { params: requests.bySession, query: contextQuery },
      response: memoryContextSchema,
      handler: async ({ params, query: { asOf, history } }, { services }) => {
        const { overview, hasSemantic } = await services.memory.open();
        return overview.context({
          ...params,
          asOf: asOf === undefined ? undefined : Date.parse(asOf),
          history,
          limit: limits.MEMORY_MAX_CONTEXT_MEMORIES,
          withSemantic: hasSemantic,
        });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/stats/:userId',
      ...documentedAs('getMemoryStatistics'),
      access: 'memory',
      tag: TAG,
      summary: 'Statistics of the memories of a user',
      message: 'Memory statistics retrieved successfully',
      tools: both,
      request: { params: requests.byUser },
      response: memoryStatsSchema,
      handler: async ({ params: { userId } }, { services }) =>
        (await services.memory.open()).overview.stats(userId),
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/related/:memoryId',
      ...documentedAs('listRelatedMemories'),
      access: 'memory',
      checkOwner,
      linkedFrom: ['/api/memory/episodic', '/api/memory/semantic'],
      tag: TAG,
      summary: 'Memories that a memory is related to, with the kinds of the relationships',
      message: 'Related memories retrieved successfully',
      tools: both,
      request: { params: requests.related, query: requests.relatedQuery },
      response: relatedMemoriesSchema,
      handler: async (
        { params: { memoryId }, query: { relationshipType: relationship, ...page } },
        { services },
      ) => (await services.memory.open()).overview.related(memoryId, { relationship, ...page }),
    }),
  ];
}
