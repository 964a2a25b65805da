import { z } from 'zod';
import { INTENT_TYPES, type IntentType } from '../intent-types';
import { tokenUsageSchema } from './llm';

export const intentTypeSchema = z.enum(INTENT_TYPES);

const score = z.number().min(0).max(1);

export const intentSchema = z.object({
  type: intentTypeSchema,
  confidence: score,
  requiredTools: z.array(z.string()).describe('Registered tools that an answer probably needs'),
  memoryContext: z.boolean().describe('Whether memory is useful for an answer'),
  reasoning: z.string().optional().describe('The reason, in a sentence; absent if includeReasoning is false'),
});
export type Intent = z.infer<typeof intentSchema>;

/** `simple`: at most 2 steps, `moderate`: 3, `complex`: more. */
export const COMPLEXITIES = ['simple', 'moderate', 'complex'] as const;

export const executionPlanSchema = z.object({
  steps: z.array(z.string()),
  estimatedTime: z.number().describe('Milliseconds, from past runs of the same tools if they have run'),
  complexity: z.enum(COMPLEXITIES),
});
export type ExecutionPlan = z.infer<typeof executionPlanSchema>;

export const classificationSchema = z.object({
  intent: intentSchema,
  executionPlan: executionPlanSchema,
  metadata: z.object({
    classificationTime: z.number().describe('Milliseconds'),
    modelUsed: z.string(),
    confidence: score,
    tokensUsed: tokenUsageSchema.shape.totalTokens.optional(),
    usage: tokenUsageSchema.optional().describe('Present if a model was asked'),
    retries: z.number().optional().describe('Attempts beyond the first'),
    fallback: z.string().optional().describe('Why the built-in rules answered in place of the model'),
    lowConfidence: z.boolean().optional().describe('Present, and true, below the threshold'),
    alternatives: z
      .array(z.object({ type: intentTypeSchema, confidence: score }))
      .optional()
      .describe('Present with lowConfidence: other possible types, the likeliest first'),
  }),
});
export type Classification = z.infer<typeof classificationSchema>;

/** Options of a classification. An absent one has the service's default. */
export interface ClassificationOptions {
  /** True: a model is asked why. Absent: the reasoning only names what decided. False: the answer has no reasoning. */
  readonly includeReasoning?: boolean | undefined;
  /** Oldest first. */
  readonly previousIntents?: readonly IntentType[] | undefined;
  readonly hintIntent?: IntentType | undefined;
  /** Further information of the caller, in any form. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** 0 to 1 */
  readonly confidenceThreshold?: number | undefined;
  /** Maximum number of attempts, including the first. */
  readonly maxRetries?: number | undefined;
  /** Time limit, including all attempts and waits, milliseconds. */
  readonly timeout?: number | undefined;
  /** Whether the built-in rules answer if the model fails. */
  readonly fallback?: boolean | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly topP?: number | undefined;
}

const count = z.number().int().min(0);
const intentDistributionSchema = z.record(intentTypeSchema, count);

export const batchResultSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      intent: intentSchema.optional(),
      error: z
        .object({ code: z.string(), message: z.string() })
        .optional()
        .describe('Present in place of an intent if this query failed'),
    }),
  ),
  summary: z.object({
    totalQueries: count,
    averageConfidence: z.number(),
    intentDistribution: intentDistributionSchema,
    successfulClassifications: count,
    failedClassifications: count,
    totalTime: z.number().describe('Milliseconds from the start of the run to its end'),
    averageTime: z.number().describe('Mean milliseconds of the classification of one query'),
  }),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

export const intentStatisticsSchema = z.object({
  totalClassifications: count,
  averageConfidence: z.number(),
  intentDistribution: intentDistributionSchema,
  performance: z.object({
    averageClassificationTime: z.number().describe('Milliseconds; successful classifications alone'),
    successRate: score,
    errorRate: score,
  }),
  recentActivity: z.object({ lastHour: count, lastDay: count, lastWeek: count }),
});
export type IntentStatistics = z.infer<typeof intentStatisticsSchema>;
