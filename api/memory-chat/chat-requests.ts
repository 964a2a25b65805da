import { z } from 'zod';
import type { Config } from '../../src/settings/config';
import { scoreSchema } from '../../src/contracts/http/memory';
import { CONTEXT_TOKENS } from '../../src/conversation/context-text';
import { MAX_TOKENS, modelOptions } from '../http/model-options';
import { textSchema } from '../http/text-schema';
import type { MemoryRequestLimits } from '../memory/memory-requests';
import { memoryRequestSchemas } from '../memory/memory-requests';

export type MemoryChatLimits = MemoryRequestLimits &
  Pick<Config, 'MEMORY_MAX_CONTEXT_MEMORIES' | 'CONVERSATION_RECENT_MESSAGES'>;

const LABEL_LENGTH = 200;
const DEFAULT_HISTORY = 50;
const DEFAULT_MEMORIES = 10;
const MIN_CONTEXT_TOKENS = 50;
const label = z.string().min(1).max(LABEL_LENGTH);

/** What knowledge is told by beside its text, where memories have `metadata`. */
const flatMetadata = {
  category: label.optional(),
  confidence: scoreSchema.optional(),
  source: label.optional(),
};

/** The bodies, paths and query strings of the memory chat area; bounds that are settings name them. */
export function memoryChatRequestSchemas(limits: MemoryChatLimits) {
  const memory = memoryRequestSchemas(limits);
  const mostMessages = limits.MEMORY_MAX_RESULTS;
  const mostMemories = limits.MEMORY_MAX_CONTEXT_MEMORIES;
  const text = textSchema(limits.MEMORY_MAX_CONTENT_LENGTH, 'MEMORY_MAX_CONTENT_LENGTH');
  return {
    /** Body of `POST /api/memory-chat/chat`. */
    chat: memory.bySession.extend({
      message: text,
      includeMemories: z.boolean().default(true).describe('False: memory is neither asked nor told'),
      options: z
        .object({
          model: modelOptions.model,
          temperature: modelOptions.temperature,
          maxTokens: modelOptions.maxTokens,
        })
        .optional(),
    }),
    enhanceContext: memory.bySession.extend({
      query: text,
      maxMemories: z
        .number()
        .int()
        .min(1)
        .max(mostMemories, `must be at most ${mostMemories} (MEMORY_MAX_CONTEXT_MEMORIES)`)
        .default(Math.min(DEFAULT_MEMORIES, mostMemories))
        .describe('Most memories, of both kinds together'),
      maxTokens: z
        .number()
        .int()
        .min(MIN_CONTEXT_TOKENS)
        .max(MAX_TOKENS)
        .default(CONTEXT_TOKENS)
        .describe('Longest text, tokens as they are estimated'),
    }),
    byId: memory.byId,
    byUser: memory.byUser,
    bySession: memory.bySession,
    addKnowledge: memory.createSemantic.extend(flatMetadata),
    changeKnowledge: memory.updateSemantic.extend(flatMetadata),
    searchKnowledge: memory.searchSemantic,
    search: memory.search.extend({
      sessionId: memory.bySession.shape.sessionId.optional().describe('Events of this session alone'),
    }),
    historyQuery: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(mostMessages, `must be at most ${mostMessages} (MEMORY_MAX_RESULTS)`)
        .default(Math.min(DEFAULT_HISTORY, mostMessages)),
      offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    }),
  };
}
