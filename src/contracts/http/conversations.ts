import { z } from 'zod';
import { episodicMemorySchema, scoreSchema, semanticMemorySchema } from './memory';

export type MessageRole = 'user' | 'assistant';

/** The tag of every memory that is a message of a conversation. */
export const CONVERSATION_TAG = 'conversation';
/** The tag of an answer that only says that nothing is known. Such an answer is never recalled. */
export const NOTHING_KNOWN_TAG = 'nothing-known';

/** Names a conversation: its user and its session. */
export interface SessionName {
  readonly userId: string;
  readonly sessionId: string;
}

export const recalledEpisodicSchema = episodicMemorySchema.extend({ relevanceScore: scoreSchema });
export type RecalledEpisodic = z.infer<typeof recalledEpisodicSchema>;

export const recalledSemanticSchema = semanticMemorySchema.extend({
  similarityScore: scoreSchema,
  embedding: z.array(z.number()).optional().describe('The vector of concept and description'),
});
export type RecalledSemantic = z.infer<typeof recalledSemanticSchema>;

/** A service that a turn had to do without, and what the turn did instead. */
export const degradationSchema = z.object({
  service: z.enum(['llm', 'graphdb', 'vectordb', 'embedder']),
  reason: z.string(),
  consequence: z.string().describe('What was done instead'),
});
export type Degradation = z.infer<typeof degradationSchema>;

/** The memories that match a query. */
export interface Recalled {
  /** Best first. */
  readonly episodic: readonly RecalledEpisodic[];
  /** Best first. */
  readonly semantic: readonly RecalledSemantic[];
  /** The latest messages of the session, oldest first. */
  readonly recent: readonly RecentMessage[];
  /** The services that could not be searched. */
  readonly degraded: readonly Degradation[];
  /** Milliseconds. */
  readonly time: number;
}

export interface RecentMessage {
  readonly id: string;
  readonly role: MessageRole;
  readonly content: string;
  /** ISO 8601; absent: it is not known. */
  readonly timestamp?: string;
}

/** A tool call of a turn, with its outcome. */
export const toolOutcomeSchema = z.object({
  toolName: z.string(),
  args: z.record(z.string(), z.unknown()),
  success: z.boolean(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  executionTime: z
    .number()
    .describe('Milliseconds that the tool ran; for a failed call, with all its attempts and waits'),
});
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;
