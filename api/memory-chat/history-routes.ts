import { chatHistorySchema, memoryInsightsSchema } from '../../src/contracts/http/memory-chat';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { semanticComponents } from '../../src/memory/service/memory-service';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { searchRoute } from '../memory/search-route';
import { type MemoryChatLimits, memoryChatRequestSchemas } from './chat-requests';

const TAG = 'Memory chat';

/** The routes of a conversation's history: its messages, search and insights. */
export function memoryChatHistoryRoutes({ use }: MemoryStores, limits: MemoryChatLimits): AnyRoute[] {
  const requests = memoryChatRequestSchemas(limits);
  return [
    defineRoute({
      method: 'get',
      path: '/api/memory-chat/history/:userId/:sessionId',
      ...documentedAs('getChatHistory'),
      access: 'memory',
      tag: TAG,
      summary: 'Messages of a session, the first message first',
      description: 'A message keeps its offset while the session continues.',
      message: 'Chat history retrieved successfully',
      tools: () => ['graphdb'],
      request: { params: requests.bySession, query: requests.historyQuery },
      response: chatHistorySchema,
      handler: ({ params, query }) => use(({ service }) => service.history.read({ ...params, ...query })),
    }),
    searchRoute(
      { path: '/api/memory-chat/search', operationId: 'searchChatMemories', tag: TAG, body: requests.search },
      { use },
      limits,
    ),
    defineRoute({
      method: 'get',
      path: '/api/memory-chat/insights/:userId',
      ...documentedAs('getMemoryInsights'),
      access: 'memory',
      tag: TAG,
      summary: 'Topics, activity and preferences of a user, from the memories',
      message: 'Memory insights retrieved successfully',
      tools: () => use(({ service }) => Promise.resolve(['graphdb', ...semanticComponents(service)])),
      request: { params: requests.byUser },
      response: memoryInsightsSchema,
      handler: ({ params: { userId } }) => use(({ service }) => service.insights.read(userId)),
    }),
  ];
}
