import { z } from 'zod';
import type { Config } from '../../src/settings/config';
import { limitSchema } from '../http/limit-schema';
import { readOnlyFields } from '../http/read-only';
import { nameSchema as name, newNameSchema as newName, textSchema } from '../http/text-schema';
import { jsonObjectSchema } from '../../src/contracts/http/json-object';
import {
  episodicMemorySchema,
  RELATIONSHIPS,
  scoreSchema,
  semanticMemorySchema,
} from '../../src/contracts/http/memory';
import { hasPlainYear, NO_PLAIN_YEAR } from '../../src/contracts/times';

export type MemoryRequestLimits = Pick<
  Config,
  'MEMORY_MAX_RESULTS' | 'MEMORY_SIMILARITY_THRESHOLD' | 'MEMORY_MAX_CONTENT_LENGTH'
>;

const NAME_LENGTH = 200;
const MAX_NAMES = 100;
const DEFAULT_LIMIT = 10;
/** Far below the greatest whole number that JSON carries, because each read adds one. */
const MAX_ACCESS_COUNT = 1_000_000_000_000;

/** The fields of memories that no request may change. */
export const READ_ONLY = {
  episodic: ['id', 'userId', 'sessionId', 'timestamp', 'storedAt'],
  semantic: ['id', 'userId'],
} as const;

const label = z.string().min(1).max(NAME_LENGTH);
const labels = z.array(label).max(MAX_NAMES);
/** An unknown id is answered with 404; a text that cannot be an id is rejected. */
const id = z.string().min(1).max(NAME_LENGTH);
const ids = z.array(id).max(MAX_NAMES);
const freeForm = jsonObjectSchema;
const time = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 date and time' })
  // A time is shown in UTC.
  .refine(hasPlainYear, NO_PLAIN_YEAR);
/** How far the time of an event may be in the future, because clocks differ and callers may mean the end of a day; milliseconds. */
const MAX_AHEAD_MS = 86_400_000;
/** The time of an event. */
const eventTime = time
  .refine(
    (text) => Date.parse(text) <= Date.now() + MAX_AHEAD_MS,
    'must not be in the future by more than a day',
  )
  .describe('When it happened, ISO 8601 with a zone; default: now');
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
  const text = textSchema(limits.MEMORY_MAX_CONTENT_LENGTH, 'MEMORY_MAX_CONTENT_LENGTH');
  const maxResults = limits.MEMORY_MAX_RESULTS;
  const limit = limitSchema(maxResults, 'MEMORY_MAX_RESULTS').default(Math.min(DEFAULT_LIMIT, maxResults));

  const episodicMetadata = z.looseObject({
    source: label.optional(),
    importance: scoreSchema.optional(),
    tags: labels.optional(),
    location: z.string().max(NAME_LENGTH).nullable().optional(),
    participants: labels.nullable().optional(),
  });
  const episodicRelationships = z.strictObject({
    previous: id.nullable().optional(),
    next: id.nullable().optional(),
    related: ids.optional(),
  });
  const semanticMetadata = z.looseObject({
    category: label.optional(),
    confidence: scoreSchema.optional(),
    source: label.optional(),
    accessCount: z.number().int().min(0).max(MAX_ACCESS_COUNT).optional(),
    lastAccessed: time.optional(),
  });
  const semanticRelationships = z.strictObject({
    similar: ids.optional(),
    parent: id.nullable().optional(),
    children: ids.optional(),
    related: ids.optional(),
  });

  return {
    byId: z.object({ id }),
    byUser: z.object({ userId: name }),
    bySession: z.object({ userId: name, sessionId: name }),
    createEpisodic: z.strictObject({
      userId: newName,
      sessionId: newName,
      timestamp: eventTime.optional(),
      content: text,
      context: freeForm.optional(),
      metadata: episodicMetadata.optional(),
      relationships: episodicRelationships.optional(),
    }),
    updateEpisodic: z.strictObject({
      ...readOnlyFields(episodicMemorySchema.shape, READ_ONLY.episodic),
      content: text.optional(),
      context: freeForm.optional(),
      metadata: episodicMetadata.optional(),
      relationships: episodicRelationships.optional(),
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
    createSemantic: z.strictObject({
      userId: newName,
      concept: text,
      description: text,
      metadata: semanticMetadata.optional(),
      relationships: semanticRelationships.optional(),
    }),
    updateSemantic: z.strictObject({
      ...readOnlyFields(semanticMemorySchema.shape, READ_ONLY.semantic),
      concept: text.optional(),
      description: text.optional(),
      metadata: semanticMetadata.optional(),
      relationships: semanticRelationships.optional(),
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
        .describe('Default: both, where there is a store of semantic memories'),
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
