import { z } from 'zod';
import { hasPlainYear, NO_PLAIN_YEAR } from '../times';
import { scoreSchema } from './memory';
import { newNameSchema, textSchema, jsonObjectSchema } from './text-schema';

const NAME_LENGTH = 200;
const MAX_NAMES = 100;
/** Far below the greatest whole number that JSON carries, because each read adds one. */
const MAX_ACCESS_COUNT = 1_000_000_000_000;
/** How far the time of an event may be in the future, because clocks differ and callers may mean the end of a day; milliseconds. */
const MAX_AHEAD_MS = 86_400_000;

const labelSchema = z.string().min(1).max(NAME_LENGTH);
export const labelsSchema = z.array(labelSchema).max(MAX_NAMES);
/** An unknown id is answered with 404; a text that cannot be an id is rejected. */
export const memoryIdSchema = z.string().min(1).max(NAME_LENGTH);
const ids = z.array(memoryIdSchema).max(MAX_NAMES);

export const memoryTimeSchema = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 date and time' })
  // A time is shown in UTC.
  .refine(hasPlainYear, NO_PLAIN_YEAR);

/** The time of an event. */
export const eventTimeSchema = memoryTimeSchema
  .refine(
    (text) => Date.parse(text) <= Date.now() + MAX_AHEAD_MS,
    'must not be in the future by more than a day',
  )
  .describe('When it happened, ISO 8601 with a zone; default: now');

const episodicMetadata = z.looseObject({
  source: labelSchema.optional(),
  importance: scoreSchema.optional(),
  tags: labelsSchema.optional(),
  location: z.string().max(NAME_LENGTH).nullable().optional(),
  participants: labelsSchema.nullable().optional(),
});
const semanticMetadata = z.looseObject({
  category: labelSchema.optional(),
  confidence: scoreSchema.optional(),
  source: labelSchema.optional(),
  accessCount: z.number().int().min(0).max(MAX_ACCESS_COUNT).optional(),
  lastAccessed: memoryTimeSchema.optional(),
});

/**
 * Builds the schemas of the fields of new memories, without their user.
 * @param maxContentLength characters; the message of the limit names its setting
 */
export function newMemoryFields(maxContentLength: number) {
  const text = textSchema(maxContentLength, 'MEMORY_MAX_CONTENT_LENGTH');
  return {
    episodic: {
      sessionId: newNameSchema,
      timestamp: eventTimeSchema.optional(),
      content: text,
      context: jsonObjectSchema.optional(),
      metadata: episodicMetadata.optional(),
      relationships: z
        .strictObject({
          previous: memoryIdSchema.nullable().optional(),
          next: memoryIdSchema.nullable().optional(),
          related: ids.optional(),
        })
        .optional(),
    },
    semantic: {
      concept: text,
      description: text,
      metadata: semanticMetadata.optional(),
      relationships: z
        .strictObject({
          similar: ids.optional(),
          parent: memoryIdSchema.nullable().optional(),
          children: ids.optional(),
          related: ids.optional(),
        })
        .optional(),
    },
  };
}
