import { z } from 'zod';
import { NEO4J_ADDRESS } from '../../src/settings/stores';
import { hubNameSchema } from '../../src/contracts/http/embedding-models';

const NAME = z.string().min(1).max(200);
const SECRET = z.string().max(1_000);

/**
 * The settings of the stores of memories in an initialization. Absent ones are those of the service's configuration, so a field
 * that is not known is refused: the caller would take a misplaced one for set.
 */
export const storesShape = {
  graphdb: z
    .strictObject({
      uri: z
        .string()
        .max(2_000)
        .regex(NEO4J_ADDRESS, 'has to be like neo4j://host:7687, with user and password in their own fields')
        .describe('Address of a Neo4j server, 5.26 or later: neo4j:// or bolt://, with +s for TLS'),
      username: NAME,
      password: SECRET.describe('Stored encrypted and never shown'),
      database: NAME.describe('A database other than the configured one needs its own credentials'),
    })
    .partial()
    .optional(),
  vectordb: z
    .strictObject({
      apiKey: SECRET.min(1).describe('Stored encrypted and never shown'),
      environment: NAME.describe('Region in which the index is created where it does not exist'),
      indexName: NAME.describe('An index other than the configured one needs its own key'),
    })
    .partial()
    .optional(),
};

export const embeddingSchema = z
  .strictObject({
    model: hubNameSchema.describe('MEMORY_EMBEDDING_MODEL, one of MEMORY_EMBEDDING_MODELS, or lexical-1'),
    dimensions: z.number().int().min(16).max(4_096),
  })
  .partial()
  .optional();

const leftBehind = z
  .array(z.enum(['graphdb', 'vectordb']))
  .describe('Former stores that still contain memories; these are not moved');

/** The fields that the responses of both initializations share. */
export const connectedShape = { initialized: z.literal(true), leftBehind };
