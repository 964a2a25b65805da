import { z } from 'zod';
import { scoreSchema } from '../../src/contracts/http/memory';
import { nameSchema } from '../../src/contracts/http/text-schema';

/** Maximum number of tokens that a caller may ask for. */
export const MAX_TOKENS = 100_000;

/** Options of a model call; all are optional. */
export const modelOptions = {
  model: nameSchema.optional().describe("A model's or a provider's name"),
  temperature: scoreSchema.optional(),
  topP: scoreSchema.optional(),
  maxTokens: z
    .number()
    .int()
    .min(1)
    .max(MAX_TOKENS)
    .optional()
    .describe('Maximum length of the answer, tokens'),
};
