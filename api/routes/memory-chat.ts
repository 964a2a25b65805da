import { foundMemoriesSchema } from '../../src/contracts/memory';
import { chatHistorySchema, memoryInsightsSchema } from '../../src/contracts/memory-chat';
import type { MemoryService } from '../../src/memory/memory-service';
import { semanticComponents } from '../../src/memory/memory-service';
import type { AnyRoute } from '../http/route';
import { defineRoute } from '../http/route';
import { createSearchRequest } from '../memory/search-request';
import type { MemoryChatLimits } from './memory-chat-requests';
import { memoryChatRequestSchemas } from './memory-chat-requests';

const TAG = 'Memory chat';

/** What a conversation looks back on. */
export function memoryChatRoutes(memory: MemoryService, limits: MemoryChatLimits): AnyRoute[] {
  const requests = memoryChatRequestSchemas(limits);
  const search = createSearchRequest(memory, limits);
  return [
    defineRoute({
      method: 'get',
      path: '/api/memory-chat/history/:userId/:sessionId',
      tag: TAG,
      summary: 'What was said in a session, the first message first',
      description: 'A message keeps its offset while the session goes on.',
      message: 'Chat history retrieved successfully',
      tools: () => ['graphdb'],
      request: { params: requests.bySession, query: requests.historyQuery },
      response: chatHistorySchema,
      handler: ({ params, query }) => memory.history.read({ ...params, ...query }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory-chat/search',
      tag: TAG,
      summary: 'Memories by meaning and words',
      message: ({ episodic, semantic }) => `Found ${episodic.length + semantic.length} memories`,
      tools: ({ body }) => search.tools(body),
      request: { body: requests.search },
      response: foundMemoriesSchema,
      handler: ({ body }) => search.find(body),
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory-chat/insights/:userId',
      tag: TAG,
      summary: 'What the memories of a user tell of the user',
      message: 'Memory insights retrieved successfully',
      tools: () => ['graphdb', ...semanticComponents(memory)],
      request: { params: requests.byUser },
      response: memoryInsightsSchema,
      handler: ({ params: { userId } }) => memory.insights.read(userId),
    }),
  ];
}
