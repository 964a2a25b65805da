import { chatHistorySchema, memoryInsightsSchema } from '../../src/contracts/http/memory-chat';
import { semanticComponents } from '../../src/memory/service/create-memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { searchRoute } from '../memory/search-route';
import { type MemoryChatLimits, memoryChatRequestSchemas } from './chat-requests';
import type { MemoryServices } from '../memory/own-memory';

const { defineRoute } = routesWith<MemoryServices>();

const TAG = 'Memory chat';

/** The routes of a conversation's history: its messages, search and insights. */
export function memoryChatHistoryRoutes(limits: MemoryChatLimits): AnyRoute<MemoryServices>[] {
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
      handler: async ({ params, query }, { services }) =>
        (await services.memory.open()).history.read({ ...params, ...query }),
    }),
    searchRoute(
      { path: '/api/memory-chat/search', operationId: 'searchChatMemories', tag: TAG, body: requests.search },
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
      tools: async (_input, { memory }) => ['graphdb', ...semanticComponents(await memory.open())],
      request: { params: requests.byUser },
      response: memoryInsightsSchema,
      handler: async ({ params: { userId } }, { services }) =>
        (await services.memory.open()).insights.read(userId),
    }),
  ];
}
