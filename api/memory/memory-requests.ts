import { z } from 'zod';
import type { Config } from '../../src/settings/config';
import { readOnlyFields } from '../http/read-only';
import {
  labelsSchema as labels,
  memoryIdSchema as id,
  memoryTimeSchema as time,
  newMemoryFields,
} from '../../src/contracts/http/new-memories';
import { nameSchema as name, newNameSchema as newName } from '../../src/contracts/http/text-schema';
import {
  episodicMemorySchema,
  RELATIONSHIPS,
  scoreSchema,
  semanticMemorySchema,
} from '../../src/contracts/http/memory';
import { limitSchema } from '../../requests/request-options';

export type MemoryRequestLimits = Pick<
  Config,
  'MEMORY_MAX_RESULTS' | 'MEMORY_SIMILARITY_THRESHOLD' | 'MEMORY_MAX_CONTENT_LENGTH'
>;

const DEFAULT_LIMIT = 10;
/** The fields of memories that no request may change. */
export const READ_ONLY = {
  episodic: ['id', 'userId', 'sessionId', 'timestamp', 'storedAt'],
  semantic: ['id', 'userId'],
} as const;

/** A time in a body, as epoch milliseconds. */
const asOf = time
  .transform((text) => Date.parse(text))
  .optional()
  .describe('What existed and held then; default now');

const timeRange = z
  .strictObject({ start: time.optional(), end: time.optional() })
  .refine(
    ({ start, end }) => start === undefined || end === undefined || Date.parse(start) <= Date.parse(end),
    'must not end before it starts',
  );
const importance = z
  .strictObject({ min: scoreSchema.optional(), max: scoreSchema.optional() })
  .refine(({ min = 0, max = 1 }) => min <= max, 'must not have a min above its max');

/** Builds the schemas of requests to memory. The message of a limit that is a setting names the setting. */
export function memoryRequestSchemas(limits: MemoryRequestLimits) {
  const fields = newMemoryFields(limits.MEMORY_MAX_CONTENT_LENGTH);
  const { content: text } = fields.episodic;
  const maxResults = limits.MEMORY_MAX_RESULTS;
  const limit = limitSchema(maxResults, 'MEMORY_MAX_RESULTS').default(Math.min(DEFAULT_LIMIT, maxResults));

  return {
    byId: z.object({ id }),
    byUser: z.object({ userId: name }),
    bySession: z.object({ userId: name, sessionId: name }),
    createEpisodic: z.strictObject({ userId: newName, ...fields.episodic }),
    updateEpisodic: z.strictObject({
      ...readOnlyFields(episodicMemorySchema.shape, READ_ONLY.episodic),
      content: text.optional(),
      context: fields.episodic.context,
      metadata: fields.episodic.metadata,
      relationships: fields.episodic.relationships,
    }),
    searchEpisodic: z.strictObject({
      userId: name,
      sessionId: name.optional(),
      timeRange: timeRange.optional(),
      tags: labels.optional().describe('At least one of these'),
      importance: importance.optional(),
      asOf: asOf.describe('Only events that existed then, and say something that held then'),
      history: z
        .boolean()
        .optional()
        .describe('With `asOf`: whether events are found too that say only what did not hold'),
      limit,
    }),
    createSemantic: z.strictObject({ userId: newName, ...fields.semantic }),
    updateSemantic: z.strictObject({
      ...readOnlyFields(semanticMemorySchema.shape, READ_ONLY.semantic),
      concept: text.optional(),
      description: text.optional(),
      metadata: fields.semantic.metadata,
      relationships: fields.semantic.relationships,
    }),
    searchSemantic: z.strictObject({
      userId: name,
      query: text,
      threshold: scoreSchema
        .default(limits.MEMORY_SIMILARITY_THRESHOLD)
        .describe('Minimum similarity; default MEMORY_SIMILARITY_THRESHOLD'),
      limit,
      asOf: asOf.describe('Only concepts that existed then'),
      filters: z.strictObject({ categories: labels.optional() }).optional(),
    }),
    search: z.strictObject({
      userId: name,
      query: text.optional().describe('Absent: all memories that match the filters, the latest first'),
      type: z
        .enum(['episodic', 'semantic', 'both'])
        .optional()
        .describe('Default: both, if there is a store of semantic memories'),
      limit,
      threshold: scoreSchema.optional().describe('Minimum score'),
      asOf,
      history: z.boolean().optional().describe('Whether memories are found that say only what does not hold'),
      explain: z.boolean().optional().describe('Whether each memory has an explanation of its rank'),
      filters: z
        .strictObject({
          timeRange: timeRange.optional(),
          tags: labels.optional(),
          categories: labels.optional(),
          importance: importance.optional(),
        })
        .optional(),
    }),
    related: z.object({ memoryId: id }),
    relatedQuery: z.strictObject({
      relationshipType: z.enum(RELATIONSHIPS).optional(),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(maxResults, `must be at most ${maxResults} (MEMORY_MAX_RESULTS)`)
        .default(maxResults),
      offset: z.coerce.number().int().min(0).default(0),
    }),
  };
}
