import { z } from 'zod';
import { heldFactSchema } from '../facts';
import { runUsageSchema } from './budgets';
import { degradationSchema } from './conversations';
import { finishReasonSchema, tokenUsageSchema } from './llm';
import { foundMemoriesSchema, foundSemanticSchema, scoreSchema, semanticMetadataSchema } from './memory';

const timestamp = z.string().describe('ISO 8601');
const count = z.number().int().min(0);

/** How a user mostly writes: questions, requests to do something, statements, or none of these above all. */
export const CONVERSATION_STYLES = [
  'inquisitive',
  'directive',
  'informative',
  'conversational',
  'unknown',
] as const;
export type ConversationStyle = (typeof CONVERSATION_STYLES)[number];

/** How long a user's messages mostly are. */
export const DETAIL_LEVELS = ['brief', 'moderate', 'detailed', 'unknown'] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

export const topicSchema = z.object({
  topic: z.string(),
  count: count.describe('Memories with this topic'),
  importance: scoreSchema.describe('Mean importance of these memories; for concepts their confidence'),
});
export type Topic = z.infer<typeof topicSchema>;

export const memoryInsightsSchema = z.object({
  userId: z.string(),
  totalMemories: count,
  topics: z.array(topicSchema),
  recentActivity: z.object({
    lastConversation: timestamp.nullable().describe('Null before the first one'),
    memoriesToday: count.describe('Since midnight, UTC'),
    memoriesThisWeek: count.describe('In the last 7 times 24 hours'),
  }),
  preferences: z.object({
    preferredTopics: z.array(z.string()),
    conversationStyle: z.enum(CONVERSATION_STYLES),
    detailLevel: z.enum(DETAIL_LEVELS),
  }),
});
export type MemoryInsights = z.infer<typeof memoryInsightsSchema>;

export const knowledgeHitSchema = foundSemanticSchema.extend({
  metadata: semanticMetadataSchema.pick({ category: true, confidence: true, source: true }).strip(),
});

export const chatMessageSchema = z.object({
  id: z.string(),
  content: z.string(),
  timestamp,
  type: z.enum(['user', 'assistant']),
  importance: scoreSchema,
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export const chatHistorySchema = z.object({
  userId: z.string(),
  sessionId: z.string(),
  messages: z.array(chatMessageSchema),
  totalCount: count,
  hasMore: z.boolean(),
});
export type ChatHistory = z.infer<typeof chatHistorySchema>;

const degraded = z.array(degradationSchema).describe('Services that had to be done without; mostly empty');

export const enhancedContextSchema = z.object({
  enhancedContext: z.string(),
  relevantMemories: foundMemoriesSchema.describe('The memories that the text contains'),
  degraded,
});

const milliseconds = z.number();

export const chatAnswerSchema = z.object({
  message: z.string().describe('The answer'),
  finishReason: finishReasonSchema.optional(),
  context: z.string().describe('The text of memories that the model was given'),
  memories: foundMemoriesSchema,
  storedMemory: z
    .object({ id: z.string(), content: z.string(), timestamp })
    .describe('The message as it is stored'),
  timestamp: timestamp.describe('When it was answered, ISO 8601'),
  sources: z.array(z.string()).describe('Ids of the memories that the answer is based on, if that is known'),
  facts: z
    .array(heldFactSchema)
    .optional()
    .describe('The facts that the answer is based on, if that is known'),
  degraded,
  usage: runUsageSchema.optional().describe('What the turn used; absent in turns of earlier builds'),
  metadata: z.object({
    modelUsed: z.string(),
    provider: z.string(),
    llmUsage: tokenUsageSchema,
    executionTime: milliseconds,
    sessionWaitTime: milliseconds.describe('Milliseconds until the earlier turns of the session had ended'),
    memorySearchTime: milliseconds,
    llmResponseTime: milliseconds,
    memoryStoreTime: milliseconds,
  }),
});
export type ChatAnswer = z.infer<typeof chatAnswerSchema>;
