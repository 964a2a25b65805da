import { z } from 'zod';
import type { Config } from '../../src/settings/config';
import { scoreSchema } from '../../src/contracts/http/memory';
import { CONTEXT_TOKENS } from '../../src/conversation/context-text';
import {
  instructionsOption,
  MAX_TOKENS,
  modelOptions,
  limitSchema,
  queryLimitSchema,
} from '../../requests/request-options';
import { newNameSchema, textSchema } from '../../src/contracts/http/text-schema';
import { type MemoryRequestLimits, memoryRequestSchemas } from '../memory/memory-requests';
import { waitingOption, webhookOption } from '../../requests/run-options';

export type MemoryChatLimits = MemoryRequestLimits &
  Pick<Config, 'MEMORY_MAX_CONTEXT_MEMORIES' | 'CONVERSATION_RECENT_MESSAGES'>;

const LABEL_LENGTH = 200;
const DEFAULT_HISTORY = 50;
const DEFAULT_MEMORIES = 10;
const MIN_CONTEXT_TOKENS = 50;
const label = z.string().min(1).max(LABEL_LENGTH);

/** Fields of knowledge that memories have in `metadata`. */
const flatMetadata = {
  category: label.optional(),
  confidence: scoreSchema.optional(),
  source: label.optional(),
};

/** Builds the schemas of requests to memory chat. The message of a limit that is a setting names the setting. */
export function memoryChatRequestSchemas(limits: MemoryChatLimits) {
  const memory = memoryRequestSchemas(limits);
  const maxMessages = limits.MEMORY_MAX_RESULTS;
  const maxMemories = limits.MEMORY_MAX_CONTEXT_MEMORIES;
  const text = textSchema(limits.MEMORY_MAX_CONTENT_LENGTH, 'MEMORY_MAX_CONTENT_LENGTH');
  return {
    /** Body of `POST /api/memory-chat/chat`. */
    chat: z.strictObject({
      userId: newNameSchema,
      sessionId: newNameSchema,
      message: text,
      includeMemories: z
        .boolean()
        .default(true)
        .describe('False: memory is neither searched nor part of the answer'),
      options: z
        .strictObject({
          model: modelOptions.model,
          temperature: modelOptions.temperature,
          maxTokens: modelOptions.maxTokens,
          instructions: instructionsOption,
          onWaiting: waitingOption,
          webhook: webhookOption,
        })
        .optional(),
    }),
    enhanceContext: z.strictObject({
      ...memory.bySession.shape,
      query: text,
      maxMemories: limitSchema(maxMemories, 'MEMORY_MAX_CONTEXT_MEMORIES')
        .default(Math.min(DEFAULT_MEMORIES, maxMemories))
        .describe('Maximum number of memories, of both kinds together'),
      maxTokens: z
        .number()
        .int()
        .min(MIN_CONTEXT_TOKENS)
        .max(MAX_TOKENS)
        .default(CONTEXT_TOKENS)
        .describe('Maximum length of the text in estimated tokens'),
      asOf: memory.search.shape.asOf,
      history: memory.search.shape.history,
    }),
    byId: memory.byId,
    byUser: memory.byUser,
    bySession: memory.bySession,
    addKnowledge: memory.createSemantic.extend(flatMetadata),
    changeKnowledge: memory.updateSemantic.extend(flatMetadata),
    searchKnowledge: memory.searchSemantic,
    search: memory.search.extend({
      sessionId: memory.bySession.shape.sessionId.optional().describe('Only events of this session'),
    }),
    historyQuery: z.strictObject({
      limit: queryLimitSchema(maxMessages, 'MEMORY_MAX_RESULTS').default(
        Math.min(DEFAULT_HISTORY, maxMessages),
      ),
      offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    }),
  };
}
