import { z } from 'zod';
import { episodicMemorySchema, scoreSchema, semanticMemorySchema } from './memory';

export const MESSAGE_ROLES = ['user', 'assistant'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** The tag of every memory that is a message of a conversation. */
export const CONVERSATION_TAG = 'conversation';
/** The tag of an answer that says nothing but that nothing is known; it is never recalled. */
export const NOTHING_KNOWN_TAG = 'nothing-known';

/** Whose conversation, and which. */
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

/** Something that a turn had to do without, and what it did instead. */
export const degradationSchema = z.object({
  service: z.enum(['llm', 'graphdb', 'vectordb', 'embedder']),
  reason: z.string(),
  consequence: z.string().describe('What was done instead'),
});
export type Degradation = z.infer<typeof degradationSchema>;

/** What memory has on a query. */
export interface Recalled {
  /** Best first. */
  readonly episodic: readonly RecalledEpisodic[];
  /** Best first. */
  readonly semantic: readonly RecalledSemantic[];
  /** The latest messages of the session, oldest first. */
  readonly recent: readonly RecentMessage[];
  /** What could not be looked into. */
  readonly degraded: readonly Degradation[];
  /** Milliseconds. */
  readonly time: number;
}

export interface RecentMessage {
  readonly id: string;
  readonly role: MessageRole;
  readonly content: string;
  /** ISO 8601 */
  readonly timestamp: string;
}

/** A tool call of a turn, and what came of it. */
export const toolOutcomeSchema = z.object({
  toolName: z.string(),
  args: z.record(z.string(), z.unknown()),
  success: z.boolean(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  executionTime: z
    .number()
    .describe('Milliseconds that the tool ran; of one that failed, its attempts and waits included'),
});
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;
