import { z } from 'zod';
import { NEO4J_ADDRESS } from '../../src/settings/stores';
import { type FormerStore, mayHold } from '../../src/memory/stores/former-stores';
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
    .nullish(),
  vectordb: z
    .strictObject({
      apiKey: SECRET.min(1).describe('Stored encrypted and never shown'),
      environment: NAME.describe('Region in which the index is created if it does not exist'),
      indexName: NAME.describe('An index other than the configured one needs its own key'),
    })
    .partial()
    .nullish(),
};

export const embeddingSchema = z
  .strictObject({
    model: hubNameSchema.describe('MEMORY_EMBEDDING_MODEL, one of MEMORY_EMBEDDING_MODELS, or lexical-1'),
    dimensions: z.number().int().min(16).max(4_096),
  })
  .partial()
  .nullish();

/** Whether the stores that are named replace others that were named before. */
export const replaceSchema = z
  .boolean()
  .optional()
  .describe(
    'Whether these stores replace others that were named before; without it, other stores are a 409. ' +
      'A section that is null goes back to the configured store',
  );

const leftBehind = z
  .array(z.enum(['graphdb', 'vectordb']))
  .describe('Kinds of former stores that held memories, or could not be asked; these are not moved');

const formerStores = z
  .array(
    z.object({
      store: z.enum(['graphdb', 'vectordb']),
      place: z.string().describe('Where it is, without credentials'),
      replacedAt: z.string().optional().describe('ISO 8601; absent if an earlier build replaced it'),
      heldMemories: z
        .union([z.boolean(), z.literal('unknown')])
        .describe('Whether it held memories when it was replaced; unknown: it could not be asked'),
      users: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Users who had memories in it; 1,000 at most are counted'),
    }),
  )
  .describe('The latest 20 stores that others have replaced, the latest first');

/** The fields that the responses of both initializations share. */
export const connectedShape = { initialized: z.literal(true), leftBehind, formerStores };

/** Builds the fields of a response that name the former stores. Pure. */
export function showFormerStores(former: readonly FormerStore[]): {
  leftBehind: FormerStore['store'][];
  formerStores: FormerStore[];
} {
  const holding = former.filter(mayHold);
  return { leftBehind: [...new Set(holding.map(({ store }) => store))].sort(), formerStores: [...former] };
}
