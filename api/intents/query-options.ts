import { z } from 'zod';
import { intentTypeSchema } from '../../src/contracts/http/intents';
import { scoreSchema } from '../../src/contracts/http/memory';
import { DEFAULTS } from '../../src/intent/service/defaults';
import { modelOptions, reasoningOption } from '../../requests/request-options';
import { nameSchema, jsonObjectSchema } from '../../src/contracts/http/text-schema';

const MAX_PREVIOUS = 50;
const MAX_ATTEMPTS = 10;
const MAX_TIMEOUT_MS = 60_000;

const options = z.strictObject({
  includeReasoning: reasoningOption,
  previousIntents: z.array(intentTypeSchema).max(MAX_PREVIOUS).optional().describe('Oldest first'),
  hintIntent: intentTypeSchema.optional().describe('The intent that the caller expects'),
  context: jsonObjectSchema.optional().describe('Further information of the caller'),
  confidenceThreshold: scoreSchema.default(DEFAULTS.confidenceThreshold),
  maxRetries: z
    .number()
    .int()
    .min(1)
    .max(MAX_ATTEMPTS)
    .default(DEFAULTS.maxRetries)
    .describe('Maximum number of attempts'),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .default(DEFAULTS.timeout)
    .describe('Milliseconds for all attempts together'),
  fallback: z.boolean().default(false).describe('Whether the built-in rules answer if the model fails'),
  ...modelOptions,
  temperature: modelOptions.temperature.default(DEFAULTS.temperature),
  maxTokens: modelOptions.maxTokens.default(DEFAULTS.maxTokens),
  topP: modelOptions.topP.default(DEFAULTS.topP),
});

/** Options of a single classification; user and session are required. */
export const queryOptionsSchema = options.extend({ userId: nameSchema, sessionId: nameSchema });

/** Options of a query in a batch; user and session are optional. */
export const batchQueryOptionsSchema = options.extend({
  userId: nameSchema.optional(),
  sessionId: nameSchema.optional(),
});
