import { z } from 'zod';
import type { Config } from '../../src/settings/config';
import { USABLE_KEY } from '../../src/factories/create-providers';
import { nameSchema, querySchema } from '../../src/contracts/http/text-schema';
import { webhookOption } from '../../requests/run-options';
import { validatedLater } from '../http/schema-keys';
import { batchQueryOptionsSchema, queryOptionsSchema } from './query-options';

export type IntentRequestLimits = Pick<Config, 'MAX_BATCH_QUERIES' | 'EGRESS_ALLOW_PRIVATE'>;

const MAX_AT_ONCE = 100;
const DEFAULT_AT_ONCE = 5;
const queryOptions = validatedLater(batchQueryOptionsSchema);
/** It only stands in the response. */
const queryId = z.string().min(1, 'must not be empty').max(200);

/** Builds the schemas of the request bodies of intents. The message of a limit that is a setting names the setting. */
export function intentRequestSchemas({ MAX_BATCH_QUERIES }: IntentRequestLimits) {
  const queries = z
    .array(
      // Queries and options are validated one by one later, so that an invalid query fails alone.
      z.strictObject({ id: queryId, query: z.unknown().optional(), options: queryOptions.optional() }),
    )
    .min(1, 'must have at least one query')
    .max(MAX_BATCH_QUERIES, `must have at most ${MAX_BATCH_QUERIES} queries (MAX_BATCH_QUERIES)`)
    .superRefine(refuseRepeats);
  return {
    initialize: z.strictObject({
      llmConfig: z
        .strictObject({
          hostedApiKey: z
            .string()
            .max(1_000)
            .regex(USABLE_KEY, 'must be printable characters without spaces')
            .optional()
            .describe('Stored encrypted and never shown'),
          hostedModel: nameSchema.optional(),
          localBaseUrl: z
            .url({ protocol: /^https?$/, message: 'must be an http or https address' })
            .max(2_000)
            .optional()
            .describe('Address of an OpenAI-compatible server'),
        })
        .default({}),
    }),
    classify: z.strictObject({ query: querySchema, options: queryOptionsSchema }),
    batch: z.strictObject({
      queries,
      options: z
        .strictObject({
          parallel: z.boolean().default(true).describe('False: one query at a time'),
          maxConcurrency: z
            .number()
            .int()
            .min(1)
            .max(MAX_AT_ONCE)
            .default(DEFAULT_AT_ONCE)
            .describe('Maximum number of queries that are classified at once'),
          webhook: webhookOption,
        })
        .prefault({}),
    }),
  };
}

function refuseRepeats(queries: readonly { readonly id: string }[], context: z.core.$RefinementCtx): void {
  const first = new Map<string, number>();
  for (const [index, { id }] of queries.entries()) {
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else {
      const message = `repeats the id of queries[${earlier}]`;
      context.addIssue({ code: 'custom', path: [index, 'id'], message });
    }
  }
}
