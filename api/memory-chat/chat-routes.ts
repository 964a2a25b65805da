import type { MemoryComponent } from '../../src/contracts/http/memory';
import { chatAnswerSchema, enhancedContextSchema } from '../../src/contracts/http/memory-chat';
import { enhanceContext } from '../../src/conversation/enhance-context';
import { semanticComponents } from '../../src/memory/service/create-memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { takingOthers } from '../http/schema-keys';
import type { MemoryServices } from '../memory/own-memory';
import { toChatAnswer, toFoundMemories } from '../../requests/answers/chat-answer';
import type { ChatRuns } from './chat-runs';
import { type MemoryChatLimits, memoryChatRequestSchemas } from './chat-requests';

/** What the routes of memory chat need of the caller's tenant. */
export interface MemoryChatServices extends MemoryServices {
  readonly runs: { readonly chat: ChatRuns };
}

const { defineRoute } = routesWith<MemoryChatServices>();

const TAG = 'Memory chat';

/** The routes that answer from memory, and that return the context for a caller that answers by itself. */
export function memoryChatRoutes(limits: MemoryChatLimits): AnyRoute<MemoryChatServices>[] {
  const requests = memoryChatRequestSchemas(limits);
  const all = async ({ memory }: MemoryServices): Promise<readonly MemoryComponent[]> => [
    'graphdb',
    ...semanticComponents(await memory.open()),
    'embedder',
  ];
  return [
    defineRoute({
      method: 'post',
      path: '/api/memory-chat/chat',
      ...documentedAs('sendChatMessage'),
      access: 'run',
      tag: TAG,
      summary: 'Answer a message from memory, and remember both',
      description:
        'Turns of one session run one after another, in the order of their requests. Where too many of them wait (`SESSION_MAX_WAITING_TURNS`) another request is answered with 429 and `Retry-After`.',
      message: 'Chat message processed successfully',
      tools: ({ body }, services) => (body.includeMemories ? all(services) : ['graphdb', 'embedder']),
      startsRun: true,
      request: { body: takingOthers(requests.chat) },
      response: chatAnswerSchema,
      handler: async ({ body }, context) =>
        toChatAnswer(await context.services.runs.chat.chat(body, context)),
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory-chat/enhance-context',
      ...documentedAs('enhanceContext'),
      access: 'memory',
      tag: TAG,
      summary: 'Memories that match a query, as a text to put before it',
      message: 'Context enhanced successfully',
      tools: (_input, services) => all(services),
      request: { body: takingOthers(requests.enhanceContext) },
      response: enhancedContextSchema,
      handler: async ({ body }, { services }) => {
        const recent = limits.CONVERSATION_RECENT_MESSAGES;
        const { text, recalled, degraded } = await enhanceContext(await services.memory.open(), {
          ...body,
          recent,
        });
        return {
          enhancedContext: text,
          relevantMemories: toFoundMemories(recalled),
          degraded: [...degraded],
        };
      },
    }),
  ];
}
