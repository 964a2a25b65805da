import { z } from 'zod';
import type { Config } from '../../src/config';
import { intentTypeSchema } from '../../src/contracts/intents';
import { DEFAULTS } from '../../src/intent/service/defaults';
import { USABLE_KEY } from '../../src/llm/create-providers';

export type IntentRequestLimits = Pick<Config, 'MAX_BATCH_QUERIES' | 'EGRESS_ALLOW_PRIVATE'>;

const QUERY_LENGTH = 10_000;
const NAME_LENGTH = 200;
const MOST_PREVIOUS = 50;
const MOST_ATTEMPTS = 10;
const LONGEST_TIMEOUT_MS = 60_000;
const MOST_TOKENS = 100_000;
const MOST_AT_ONCE = 100;
const DEFAULT_AT_ONCE = 5;

const name = z.string().min(1, 'must not be empty').max(NAME_LENGTH);
const share = z.number().min(0).max(1);

/** A query as each classification takes it. */
export const intentQuerySchema = z
  .string()
  .max(QUERY_LENGTH, `must have at most ${QUERY_LENGTH} characters`)
  .refine((text) => text.trim() !== '', 'must not be empty');

const options = z.object({
  includeReasoning: z.boolean().default(true),
  previousIntents: z.array(intentTypeSchema).max(MOST_PREVIOUS).optional().describe('Oldest first'),
  hintIntent: intentTypeSchema.optional().describe('What the caller expects'),
  context: z.record(z.string(), z.unknown()).optional().describe('What the caller knows beside the query'),
  confidenceThreshold: share.default(DEFAULTS.confidenceThreshold),
  maxRetries: z
    .number()
    .int()
    .min(1)
    .max(MOST_ATTEMPTS)
    .default(DEFAULTS.maxRetries)
    .describe('Most attempts'),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(LONGEST_TIMEOUT_MS)
    .default(DEFAULTS.timeout)
    .describe('Milliseconds, all attempts together'),
  fallback: z.boolean().default(false).describe('Whether the built-in rules answer where the model fails'),
  model: name.optional().describe("A model's or a provider's name"),
  temperature: share.default(DEFAULTS.temperature),
  maxTokens: z.number().int().min(1).max(MOST_TOKENS).default(DEFAULTS.maxTokens),
  topP: share.default(DEFAULTS.topP),
});

/** Of one classification; who asks is required. */
const ownOptions = options.extend({ userId: name, sessionId: name });

/** Of a query in a batch; who asks may be left out. */
export const batchQueryOptionsSchema = options.extend({
  userId: name.optional(),
  sessionId: name.optional(),
});

/** The bodies of the intents area; bounds that are settings name them. */
export function intentRequestSchemas({ MAX_BATCH_QUERIES }: IntentRequestLimits) {
  const queries = z
    .array(
      // A query or options that are wrong fail alone, so they are looked at one by one.
      z.object({ id: name, query: z.unknown().optional(), options: z.unknown().optional() }),
    )
    .min(1, 'must have at least one query')
    .max(MAX_BATCH_QUERIES, `must have at most ${MAX_BATCH_QUERIES} queries (MAX_BATCH_QUERIES)`)
    .superRefine(refuseRepeats);
  return {
    initialize: z.object({
      llmConfig: z
        .object({
          hostedApiKey: z
            .string()
            .max(1_000)
            .regex(USABLE_KEY, 'must be printable characters without spaces')
            .optional()
            .describe('Kept encrypted and never shown'),
          hostedModel: name.optional(),
          localBaseUrl: z
            .url({ protocol: /^https?$/, message: 'must be an http or https address' })
            .max(2_000)
            .optional()
            .describe('Address of an OpenAI-compatible server'),
        })
        .default({}),
    }),
    classify: z.object({ query: intentQuerySchema, options: ownOptions }),
    batch: z.object({
      queries,
      options: z
        .object({
          parallel: z.boolean().default(true).describe('False: one query at a time'),
          maxConcurrency: z
            .number()
            .int()
            .min(1)
            .max(MOST_AT_ONCE)
            .default(DEFAULT_AT_ONCE)
            .describe('Most queries classified at once'),
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
