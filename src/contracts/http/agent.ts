import { z } from 'zod';
import { heldFactSchema } from '../facts';
import { agentVersionSchema } from './agents';
import { runUsageSchema } from './budgets';
import {
  degradationSchema,
  recalledEpisodicSchema,
  recalledSemanticSchema,
  toolOutcomeSchema,
} from './conversations';
import { classificationSchema, intentSchema, intentTypeSchema } from './intents';
import { finishReasonSchema, tokenUsageSchema } from './llm';
import { scoreSchema } from './memory';

/** How much detail of a turn its response has. */
export const RESPONSE_DETAIL_LEVELS = ['minimal', 'standard', 'full'] as const;
export type ResponseDetailLevel = (typeof RESPONSE_DETAIL_LEVELS)[number];
export const DEFAULT_DETAIL_LEVEL: ResponseDetailLevel = 'standard';

/** The capabilities of the agent that initialization and status list. */
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
    relevanceScore: scoreSchema.describe('The mean score of all recalled memories'),
  }),
});
export type TurnMemoryContext = z.infer<typeof turnMemoryContextSchema>;

export const turnMetadataSchema = z.object({
  agent: agentVersionSchema.optional().describe('The named agent that answered, if one was asked'),
  executionTime: milliseconds,
  memoryRetrieved: count.describe('Memories that were recalled'),
  toolsExecuted: count.describe('Tool calls that were made'),
  confidence: scoreSchema,
  intentClassificationTime: milliseconds,
  memorySearchTime: milliseconds,
  toolExecutionTime: milliseconds.describe('Milliseconds of choosing and running tools'),
  llmResponseTime: milliseconds.describe(
    "Milliseconds of the call that gave the response, which may be the planner's last call",
  ),
  memoryStoreTime: milliseconds,
  sessionWaitTime: milliseconds.describe('Milliseconds that earlier turns of the session took'),
  provider: z.string(),
  modelUsed: z.string(),
  sources: z.array(z.string()).describe('Ids of the memories that the response rests on'),
  facts: z
    .array(heldFactSchema)
    .optional()
    .describe('The facts that the response rests on, if that is known'),
  remembered: z.boolean().describe('Whether the turn is in memory now'),
  degraded: z.array(degradationSchema).describe('What the turn had to do without'),
  toolProblem: z.string().optional().describe('Why tools that the query needs were not run'),
  usage: tokenUsageSchema.optional().describe('Present at level full'),
  classification: classificationSchema.shape.metadata.optional().describe('Present at level full'),
  executionPlan: classificationSchema.shape.executionPlan.optional().describe('Present at level full'),
});

/** The response to a turn. Fields that the level `minimal` leaves out are optional. */
export const agentAnswerSchema = z.object({
  success: z.literal(true),
  response: z.string(),
  output: z
    .unknown()
    .optional()
    .describe('The value that fits `options.responseSchema`; `response` is its JSON'),
  finishReason: finishReasonSchema.optional(),
  intent: z.union([intentSchema, intentSchema.pick({ type: true, confidence: true })]),
  memoryContext: turnMemoryContextSchema.optional(),
  toolResults: z.array(toolOutcomeSchema).optional(),
  reasoning: z.string().optional(),
  usage: runUsageSchema.optional().describe('What the turn used; absent in turns of earlier builds'),
  metadata: turnMetadataSchema.optional(),
  degraded: z
    .array(degradationSchema)
    .optional()
    .describe(
      'Present at level minimal if the turn had to do without something; other levels have it in `metadata`',
    ),
});
export type AgentAnswer = z.infer<typeof agentAnswerSchema>;

/** The states in which the status shows a store. */
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
      .describe('Why a store is unavailable'),
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
      actualIntent: intentTypeSchema.nullable().describe('Null if the turn failed'),
      confidence: scoreSchema.nullable(),
      expectedContent: z
        .string()
        .optional()
        .describe('The text that a correct response contains; absent if several are correct'),
      success: z
        .boolean()
        .describe('Whether the turn was answered correctly, independent of its classified intent'),
      problem: z.string().optional().describe('Why `success` is false'),
      needsModel: z
        .boolean()
        .optional()
        .describe(
          'True if only a language model can do what is asked and none is configured: the response has to say so',
        ),
      response: z.string().describe('The response; for a turn that failed, the reason'),
      reasoning: z.string().optional(),
      metadata: turnMetadataSchema.optional(),
    }),
  ),
  summary: z.object({
    totalTests: count,
    successfulExecutions: count,
    needModel: count.describe('Turns that take a language model, if none is configured'),
    accuracy: scoreSchema.describe('Share of the turns whose intent was classified as expected'),
    averageConfidence: scoreSchema,
    degraded: count.describe('Turns that had to do without something, or failed'),
  }),
  leftBehind: z
    .object({ userId: z.string(), reason: z.string() })
    .optional()
    .describe('The user whose test memories may still exist, and why; absent once they are erased'),
});
