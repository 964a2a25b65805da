import type { Config } from '../../src/settings/config';
import {
  type MemoryComponent,
  memoryContextSchema,
  memoryStatsSchema,
  relatedMemoriesSchema,
} from '../../src/contracts/http/memory';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { semanticComponents } from '../../src/memory/service/memory-service';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { factsQuery } from './fact-requests';
import { searchRoute } from './search-route';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import { ofOwnMemory } from './own-memory';

export interface MemoryRoutesPorts {
  readonly stores: MemoryStores;
  readonly limits: MemoryRequestLimits & Pick<Config, 'MEMORY_MAX_CONTEXT_MEMORIES'>;
}

const TAG = 'Memory';
const contextQuery = factsQuery.pick({ asOf: true, history: true });

/** The routes over both kinds of memories. */
export function memoryRoutes({ stores: { use }, limits }: MemoryRoutesPorts): AnyRoute[] {
  const requests = memoryRequestSchemas(limits);
  const checkOwner = ofOwnMemory({ use }, 'memoryId');
  const both = (): Promise<readonly MemoryComponent[]> =>
    use(({ service }) => Promise.resolve(['graphdb', ...semanticComponents(service)]));

  return [
    searchRoute(
      { path: '/api/memory/search', operationId: 'searchMemories', tag: TAG, body: requests.search },
      { use },
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
      tools: async () => [...(await both()), 'embedder'],
      request: { params: requests.bySession, query: contextQuery },
      response: memoryContextSchema,
      handler: ({ params, query: { asOf, history } }) =>
        use(({ service }) =>
          service.overview.context({
            ...params,
            asOf: asOf === undefined ? undefined : Date.parse(asOf),
            history,
            limit: limits.MEMORY_MAX_CONTEXT_MEMORIES,
            withSemantic: service.hasSemantic,
          }),
        ),
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
      handler: ({ params: { userId } }) => use(({ service }) => service.overview.stats(userId)),
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
      handler: ({ params: { memoryId }, query: { relationshipType: relationship, ...page } }) =>
        use(({ service }) => service.overview.related(memoryId, { relationship, ...page })),
    }),
  ];
}
