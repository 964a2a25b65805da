import { z } from 'zod';

/** What a run that plans may use up, and by which setting an operator limits it. */
export const BUDGET_LIMITS = [
  'maxTokens',
  'maxCostUsd',
  'maxModelCalls',
  'maxToolCalls',
  'maxDurationMs',
] as const;
export type BudgetLimit = (typeof BUDGET_LIMITS)[number];

/** Limits of a run; an absent one is not limited. */
export const budgetLimitsSchema = z.strictObject({
  maxTokens: z.int().min(1).optional().describe('Tokens of all model calls together, prompts and answers'),
  maxCostUsd: z.number().positive().max(1_000_000).optional().describe('Cost of all model calls, US dollars'),
  maxModelCalls: z.int().min(1).optional(),
  maxToolCalls: z.int().min(0).optional(),
  maxDurationMs: z
    .int()
    .min(1_000)
    .optional()
    .describe('Time in which the run works, without waits for people, ms'),
});
export type BudgetLimits = Readonly<z.infer<typeof budgetLimitsSchema>>;

/** What a run does when a limit is reached. */
export const ON_EXCEEDED = ['fail', 'finish', 'pause'] as const;
export type OnExceeded = (typeof ON_EXCEEDED)[number];

/** What a run has used so far. */
export const runUsageSchema = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number().optional().describe('The part of `promptTokens` that the provider had cached'),
  reasoningTokens: z
    .number()
    .optional()
    .describe('The part of `completionTokens` that a model thought and did not say'),
  costUsd: z.number().nullable().describe('US dollars; null where a model without a known price was asked'),
  modelCalls: z.number().describe('Model calls that reported tokens, those of the built-in rules too'),
  toolCalls: z.number(),
});
export type RunUsage = Readonly<z.infer<typeof runUsageSchema>>;
