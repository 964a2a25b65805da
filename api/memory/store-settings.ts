import { z } from 'zod';
import { NEO4J_ADDRESS } from '../../src/settings/stores';
import { hubNameSchema } from '../../src/contracts/http/embedding-models';

const NAME = z.string().min(1).max(200);
const SECRET = z.string().max(1_000);

/** What an initialization may say of the stores of memories; what is left out is as the service is configured. */
export const storesShape = {
  graphdb: z
    .object({
      uri: z
        .string()
        .max(2_000)
        .regex(NEO4J_ADDRESS, 'has to be like neo4j://host:7687, with user and password in their own fields')
        .describe('Address of a Neo4j server, 5.26 or later: neo4j:// or bolt://, with +s for TLS'),
      username: NAME,
      password: SECRET.describe('Kept encrypted and never shown'),
      database: NAME.describe('Another one than the configured needs credentials of its own'),
    })
    .partial()
    .optional(),
  vectordb: z
    .object({
      apiKey: SECRET.min(1).describe('Kept encrypted and never shown'),
      environment: NAME.describe('Region used when the index has to be made'),
      indexName: NAME.describe('Another one than the configured needs a key of its own'),
    })
    .partial()
    .optional(),
};

export const embeddingSchema = z
  .object({
    model: hubNameSchema.describe('MEMORY_EMBEDDING_MODEL, one of MEMORY_EMBEDDING_MODELS, or lexical-1'),
    dimensions: z.number().int().min(16).max(4_096),
  })
  .partial()
  .optional();

const leftBehind = z
  .array(z.enum(['graphdb', 'vectordb']))
  .describe('Stores in which memories stay that were written before; they are not moved');

/** What both initializations answer beside their own. */
export const connectedShape = { initialized: z.literal(true), leftBehind };
