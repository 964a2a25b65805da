import { z } from 'zod';
import type { Config } from '../../src/config';
import { scoreSchema } from '../../src/contracts/memory';
import type { MemoryRequestLimits } from './memory-requests';
import { memoryRequestSchemas } from './memory-requests';

export type MemoryChatLimits = MemoryRequestLimits & Pick<Config, 'MEMORY_MAX_CONTEXT_MEMORIES'>;

const LABEL_LENGTH = 200;
const DEFAULT_HISTORY = 50;
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
  return {
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
