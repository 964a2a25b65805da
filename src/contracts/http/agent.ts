import { z } from 'zod';
import {
  degradationSchema,
  recalledEpisodicSchema,
  recalledSemanticSchema,
  toolOutcomeSchema,
} from './conversations';
import { classificationSchema, intentSchema, intentTypeSchema } from './intents';
import { tokenUsageSchema } from './llm';
import { scoreSchema } from './memory';

/** How much of a turn its answer tells. */
export const RESPONSE_DETAIL_LEVELS = ['minimal', 'standard', 'full'] as const;
export type ResponseDetailLevel = (typeof RESPONSE_DETAIL_LEVELS)[number];

/** What the agent does, as initialization and status tell it. */
export const AGENT_CAPABILITIES = [
  'conversation',
  'tool_execution',
  'memory_management',
  'intent_classification',
] as const;

const milliseconds = z.number().describe('Milliseconds');
const count = z.number().int().min(0);
const timestamp = z.string().describe('ISO 8601');

export const turnMemoryContextSchema = z.object({
  userId: z.string(),
  sessionId: z.string(),
  episodicMemories: z.array(recalledEpisodicSchema),
  semanticMemories: z.array(recalledSemanticSchema),
  contextWindow: z.object({
    startTime: timestamp,
    endTime: timestamp,
    relevanceScore: scoreSchema.describe('The mean of all that was recalled'),
  }),
});
export type TurnMemoryContext = z.infer<typeof turnMemoryContextSchema>;

export const turnMetadataSchema = z.object({
  executionTime: milliseconds,
  memoryRetrieved: count.describe('Memories that were recalled'),
  toolsExecuted: count.describe('Tool calls that were made'),
  confidence: scoreSchema,
  intentClassificationTime: milliseconds,
  memorySearchTime: milliseconds,
  toolExecutionTime: milliseconds.describe('Milliseconds of choosing and running tools'),
  llmResponseTime: milliseconds.describe(
    "Milliseconds of what gave the response; it may be the planner's last call",
  ),
  memoryStoreTime: milliseconds,
  sessionWaitTime: milliseconds.describe('Milliseconds that earlier turns of the session took'),
  provider: z.string(),
  modelUsed: z.string(),
  sources: z.array(z.string()).describe('Ids of the memories that the response rests on'),
  remembered: z.boolean().describe('Whether the turn is in memory now'),
  degraded: z.array(degradationSchema).describe('What the turn had to do without'),
  toolProblem: z.string().optional().describe('Why tools that were wanted were not run'),
  usage: tokenUsageSchema.optional().describe('At level full'),
  classification: classificationSchema.shape.metadata.optional().describe('At level full'),
  executionPlan: classificationSchema.shape.executionPlan.optional().describe('At level full'),
});

/** The answer of a turn; what `minimal` leaves out is optional. */
export const agentAnswerSchema = z.object({
  success: z.literal(true),
  response: z.string(),
  intent: z.union([intentSchema, intentSchema.pick({ type: true, confidence: true })]),
  memoryContext: turnMemoryContextSchema.optional(),
  toolResults: z.array(toolOutcomeSchema).optional(),
  reasoning: z.string().optional(),
  metadata: turnMetadataSchema.optional(),
  degraded: z
    .array(degradationSchema)
    .optional()
    .describe('At level minimal, where the turn had to do without something; else in `metadata`'),
});
export type AgentAnswer = z.infer<typeof agentAnswerSchema>;

/** How a store answers. */
export const CONNECTIVITY = ['connected', 'unavailable', 'not configured'] as const;

export const agentStatusSchema = z.object({
  initialized: z.boolean(),
  capabilities: z.array(z.enum(AGENT_CAPABILITIES)).describe('Empty before initialization'),
  memoryService: z.object({
    graphdb: z.enum(CONNECTIVITY),
    vectordb: z.enum(CONNECTIVITY),
    reasons: z
      .object({ graphdb: z.string().optional(), vectordb: z.string().optional() })
      .optional()
      .describe('Of what is unavailable'),
  }),
  toolRegistry: z.object({ totalTools: count, availableTools: z.array(z.string()) }),
  llmService: z.object({ providers: z.array(z.string()), currentModel: z.string() }),
});

export const selfTestReportSchema = z.object({
  testResults: z.array(
    z.object({
      query: z.string(),
      description: z.string(),
      expectedIntent: intentTypeSchema,
      actualIntent: intentTypeSchema.nullable().describe('Null where the turn failed'),
      confidence: scoreSchema.nullable(),
      expectedContent: z
        .string()
        .optional()
        .describe('What the response has to say, where one answer is right'),
      success: z.boolean().describe('Whether the turn was answered, and rightly, whatever it was taken for'),
      problem: z.string().optional().describe('Why `success` is false'),
      response: z.string().describe('Of a turn that failed, why'),
      reasoning: z.string().optional(),
      metadata: turnMetadataSchema.optional(),
    }),
  ),
  summary: z.object({
    totalTests: count,
    successfulExecutions: count,
    accuracy: scoreSchema.describe('Share of the turns that were taken for what they are'),
    averageConfidence: scoreSchema,
    degraded: count.describe('Turns that had to do without something, or failed'),
  }),
  leftBehind: z
    .object({ userId: z.string(), reason: z.string() })
    .optional()
    .describe('Whose memories of the test may still be there, and why; absent where they are erased'),
});
