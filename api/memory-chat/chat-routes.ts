import type { MemoryComponent } from '../../src/contracts/http/memory';
import { chatAnswerSchema, enhancedContextSchema } from '../../src/contracts/http/memory-chat';
import { enhanceContext } from '../../src/conversation/enhance-context';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { semanticComponents } from '../../src/memory/service/memory-service';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { takingOthers } from '../http/schema-keys';
import { toChatAnswer } from './chat-answer';
import type { ChatRuns } from './chat-runs';
import { toFoundMemories } from './found-memories';
import { type MemoryChatLimits, memoryChatRequestSchemas } from './chat-requests';

export interface MemoryChatTurnsPorts {
  readonly stores: MemoryStores;
  readonly runs: ChatRuns;
  /** @throws HoldfastError `MEMORY_CHAT_NOT_INITIALIZED` */
  readonly checkInitialized: () => Promise<void>;
  readonly limits: MemoryChatLimits;
}

const TAG = 'Memory chat';

/** The routes that answer from memory, and that return the context for a caller that answers by itself. */
export function memoryChatRoutes({
  stores: { use },
  runs,
  checkInitialized,
  limits,
}: MemoryChatTurnsPorts): AnyRoute[] {
  const requests = memoryChatRequestSchemas(limits);
  const all = (): Promise<readonly MemoryComponent[]> =>
    use(({ service }) => Promise.resolve(['graphdb', ...semanticComponents(service), 'embedder']));
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
      tools: ({ body }) => (body.includeMemories ? all() : ['graphdb', 'embedder']),
      startsRun: true,
      request: { body: takingOthers(requests.chat) },
      response: chatAnswerSchema,
      handler: async ({ body }, context) => {
        await checkInitialized();
        return toChatAnswer(await runs.chat(body, context));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory-chat/enhance-context',
      ...documentedAs('enhanceContext'),
      access: 'memory',
      tag: TAG,
      summary: 'Memories that match a query, as a text to put before it',
      message: 'Context enhanced successfully',
      tools: all,
      request: { body: takingOthers(requests.enhanceContext) },
      response: enhancedContextSchema,
      handler: async ({ body }) => {
        const recent = limits.CONVERSATION_RECENT_MESSAGES;
        const { text, recalled, degraded } = await use(({ service }) =>
          enhanceContext(service, { ...body, recent }),
        );
        return {
          enhancedContext: text,
          relevantMemories: toFoundMemories(recalled),
          degraded: [...degraded],
        };
      },
    }),
  ];
}
