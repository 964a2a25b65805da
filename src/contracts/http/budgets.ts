import { z } from 'zod';
import { tokenUsageSchema } from './llm';

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
export const runUsageSchema = tokenUsageSchema.omit({ totalTokens: true }).extend({
  costUsd: z.number().nullable().describe('US dollars; null if a model without a known price was asked'),
  modelCalls: z.int().describe('Model calls that reported tokens, those of the built-in rules too'),
  toolCalls: z.int(),
});
export type RunUsage = Readonly<z.infer<typeof runUsageSchema>>;
