import { z } from 'zod';
import { heldFactSchema } from '../facts';

/** The backing components, by their names in responses. */
export const MEMORY_COMPONENTS = ['graphdb', 'vectordb', 'embedder'] as const;
/**
 * `graphdb`: the graph of memories. `vectordb`: the store of semantic memories. `embedder`: turns texts into vectors.
 */
export type MemoryComponent = (typeof MEMORY_COMPONENTS)[number];

export const scoreSchema = z.number().min(0).max(1);
const freeForm = z.record(z.string(), z.unknown());
const timestamp = z.string().describe('ISO 8601');

export const episodicMetadataSchema = z.looseObject({
  source: z.string(),
  importance: scoreSchema,
  tags: z.array(z.string()),
  location: z.string().optional(),
  participants: z.array(z.string()).optional(),
});

export const episodicMemorySchema = z.object({
  id: z.string(),
  userId: z.string(),
  sessionId: z.string(),
  timestamp: timestamp.describe('The time of the event, ISO 8601'),
  storedAt: timestamp.optional().describe('When it was stored, if the event was at another time; ISO 8601'),
  content: z.string(),
  context: freeForm,
  metadata: episodicMetadataSchema,
  relationships: z.object({
    previous: z.string().optional().describe('The memory before it in its session'),
    next: z.string().optional(),
    related: z.array(z.string()),
  }),
});
export type EpisodicMemory = z.infer<typeof episodicMemorySchema>;

export const semanticMetadataSchema = z.looseObject({
  category: z.string(),
  confidence: scoreSchema,
  source: z.string(),
  lastAccessed: timestamp,
  accessCount: z.number().int().min(0),
});

export const semanticMemorySchema = z.object({
  id: z.string(),
  userId: z.string(),
  concept: z.string(),
  description: z.string(),
  metadata: semanticMetadataSchema,
  relationships: z.object({
    similar: z.array(z.string()),
    parent: z.string().optional(),
    children: z.array(z.string()),
    related: z.array(z.string()),
  }),
});
export type SemanticMemory = z.infer<typeof semanticMemorySchema>;

/** The end of an export, with the numbers of memories before it. */
export const exportEndSchema = z.object({
  kind: z.literal('end'),
  episodic: z.number().int().min(0),
  semantic: z.number().int().min(0),
});

/** One item of an export: a memory of either kind, or the end. */
export const exportedMemorySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('episodic'), ...episodicMemorySchema.shape }),
  z.object({ kind: z.literal('semantic'), ...semanticMemorySchema.shape }),
  exportEndSchema,
]);
export type ExportedMemory = z.infer<typeof exportedMemorySchema>;

const placeSchema = z.object({
  rank: z.int().min(1).describe('Hits with equal scores share a rank'),
  score: z.number().describe('BM25 of words, or the cosine of meaning'),
});

/** Explains the rank and the score of a memory that a search found. */
export const explanationSchema = z.object({
  words: placeSchema
    .optional()
    .describe('Its place among those found by words; absent if it is not one of them'),
  meaning: placeSchema
    .optional()
    .describe('Its place among those found by meaning; absent if it is not one of them'),
  coverage: scoreSchema.describe("The share of the query's words that the memory has"),
  ownRelevance: scoreSchema.describe(
    'Its relevance without its neighbours and without the time that the query names',
  ),
  previousRelevance: scoreSchema.describe(
    'The relevance that it has because of the memory before it in its session',
  ),
  nextRelevance: scoreSchema.describe('The relevance that it has because of the memory after it'),
  ownScore: scoreSchema.describe('Words and meaning, fused'),
  previousScore: scoreSchema.describe('The same of the memory before it in its session'),
  nextScore: scoreSchema.describe('The same of the memory after it'),
  dateBoost: scoreSchema.describe('Added if the query names the time of the memory'),
  score: z.number().describe('What results are ordered by'),
});
export type Explanation = z.infer<typeof explanationSchema>;

export const foundEpisodicSchema = z.object({
  id: z.string(),
  content: z.string(),
  timestamp,
  relevanceScore: scoreSchema,
  neighbourOf: z
    .string()
    .optional()
    .describe('The id of the memory beside it in its session to which it owes its score'),
  explanation: explanationSchema.optional().describe('With `explain`'),
});
export const foundSemanticSchema = z.object({
  id: z.string(),
  concept: z.string(),
  description: z.string(),
  similarityScore: scoreSchema,
  explanation: explanationSchema.optional().describe('With `explain`'),
});
export const foundMemoriesSchema = z.object({
  episodic: z.array(foundEpisodicSchema),
  semantic: z.array(foundSemanticSchema),
});
export type FoundMemories = z.infer<typeof foundMemoriesSchema>;

export const memoryContextSchema = z.object({
  userId: z.string(),
  sessionId: z.string(),
  episodic: z.array(z.object({ id: z.string(), content: z.string(), timestamp, importance: scoreSchema })),
  semantic: z.array(
    z.object({ id: z.string(), concept: z.string(), description: z.string(), confidence: scoreSchema }),
  ),
  facts: z.array(heldFactSchema).describe('What holds of what the user said, the latest first'),
});
export type MemoryContext = z.infer<typeof memoryContextSchema>;

const count = z.number().int().min(0);

export const memoryStatsSchema = z.object({
  episodic: z.object({ count, oldest: timestamp.nullable(), newest: timestamp.nullable() }),
  semantic: z.object({ count, categories: z.array(z.string()) }),
});
export type MemoryStats = z.infer<typeof memoryStatsSchema>;

/** The relationships between two memories, in requests and responses. */
export const RELATIONSHIPS = ['previous', 'next', 'related', 'similar', 'parent', 'child'] as const;
const relationship = z
  .enum(RELATIONSHIPS)
  .describe('The relationship of the listed memory to the requested one');

export const relatedMemoriesSchema = z.object({
  episodic: z.array(z.object({ id: z.string(), content: z.string(), timestamp, relationship })),
  semantic: z.array(z.object({ id: z.string(), concept: z.string(), description: z.string(), relationship })),
  total: z.number().int().min(0).describe('The number of all of them, whatever the limit'),
});
export type RelatedMemories = z.infer<typeof relatedMemoriesSchema>;

/** A user's memory for a picture: memories, facts, those whom facts are about, and how they are connected. */
export const memoryGraphViewSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['episodic', 'semantic', 'fact', 'subject']),
      label: z.string(),
      since: timestamp.optional(),
      until: timestamp.optional().describe('When a fact ended; absent if it holds'),
    }),
  ),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      type: z
        .enum(['next', 'related', 'similar', 'parent', 'says', 'of', 'superseded by'])
        .describe('`says`: from a memory to a fact. `of`: from a fact to whom it is about'),
    }),
  ),
  truncated: z.boolean().describe('Whether there is more than `limit` of one kind; the latest are shown'),
});
export type MemoryGraphView = z.infer<typeof memoryGraphViewSchema>;
