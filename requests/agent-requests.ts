import { z } from 'zod';
import type { Config } from '../src/settings/config';
import { DEFAULT_DETAIL_LEVEL, RESPONSE_DETAIL_LEVELS } from '../src/contracts/http/agent';
import { callerToolsOption } from '../src/contracts/http/caller-tools';
import { attachmentsOption } from '../src/contracts/http/files';
import { intentTypeSchema } from '../src/contracts/http/intents';
import { scoreSchema } from '../src/contracts/http/memory';
import {
  plannerApprovalOption,
  budgetOption,
  timeoutOption,
  waitingOption,
  webhookOption,
} from './run-options';
import {
  modelOptions,
  reasoningOption,
  limitSchema,
  allowOption,
  instructionsOption,
  maxIterationsOption,
  offeredToolsOption,
  responseSchemaOption,
} from './request-options';
import { chosenIdSchema, newNameSchema, QUERY_LENGTH, textSchema } from '../src/contracts/http/text-schema';

export type AgentRequestLimits = Pick<
  Config,
  | 'TOOL_TIMEOUT_MS'
  | 'TOOL_MAX_ATTEMPTS'
  | 'PLANNER_MAX_ITERATIONS'
  | 'MEMORY_MAX_CONTEXT_MEMORIES'
  | 'MEMORY_MAX_CONTENT_LENGTH'
>;

const MAX_TERMS = 10;
const TERM_LENGTH = 200;
const MAX_PREVIOUS = 50;
const DEFAULT_MEMORIES = 10;
/** Of an answer, if the caller names none. */
export const DEFAULT_TEMPERATURE = 0.7;

/** Builds the schemas of the agent's request bodies. The message of a limit that is a setting names the setting. */
export function agentRequestSchemas(limits: AgentRequestLimits) {
  const { TOOL_MAX_ATTEMPTS, MEMORY_MAX_CONTEXT_MEMORIES: maxMemories } = limits;
  const options = z.strictObject({
    userId: newNameSchema,
    sessionId: newNameSchema,
    agent: chosenIdSchema
      .optional()
      .describe(
        'A named agent, which answers. The other options may narrow what it does, and never widen it',
      ),
    includeMemoryContext: z.boolean().default(true).describe('Whether memory is searched'),
    maxMemoryResults: limitSchema(maxMemories, 'MEMORY_MAX_CONTEXT_MEMORIES')
      .default(Math.min(DEFAULT_MEMORIES, maxMemories))
      .describe('Maximum number of memories, of both kinds together'),
    memoryThreshold: scoreSchema.optional().describe('Minimum relevance of a memory of either kind'),
    memorySearchTerms: z
      .array(textSchema(TERM_LENGTH))
      .max(MAX_TERMS)
      .default([])
      .describe('Further terms that memory is searched for, each by itself'),
    crossSessionMemory: z
      .boolean()
      .default(true)
      .describe('False: only events of this session are recalled; knowledge belongs to no session'),
    attachments: attachmentsOption,
    ...modelOptions,
    // No default of the schema, since planning has another one.
    temperature: modelOptions.temperature
      .meta({ default: DEFAULT_TEMPERATURE })
      .describe('Of the answer; tools are chosen at 0 unless it is named'),
    instructions: instructionsOption,
    tools: offeredToolsOption,
    responseSchema: responseSchemaOption,
    callerTools: callerToolsOption,
    maxIterations: maxIterationsOption(limits),
    includeReasoning: reasoningOption,
    previousIntents: z.array(intentTypeSchema).max(MAX_PREVIOUS).optional().describe('Oldest first'),
    hintIntent: intentTypeSchema.optional().describe('The intent that the caller expects'),
    toolTimeout: timeoutOption(limits),
    maxToolRetries: z
      .number()
      .int()
      .min(0)
      .max(TOOL_MAX_ATTEMPTS - 1, `must be at most ${TOOL_MAX_ATTEMPTS - 1} (TOOL_MAX_ATTEMPTS)`)
      .optional()
      .describe('Maximum number of further attempts after the first attempt at a tool call failed'),
    allow: allowOption,
    approval: plannerApprovalOption,
    budget: budgetOption,
    onWaiting: waitingOption,
    webhook: webhookOption,
    responseDetailLevel: z.enum(RESPONSE_DETAIL_LEVELS).default(DEFAULT_DETAIL_LEVEL),
    excludeVectors: z
      .boolean()
      .optional()
      .describe('Default: false at level full, else true. Level minimal has no memories at all'),
  });
  // Memory stores a query as it is, so a query may not be longer than a memory.
  const query =
    limits.MEMORY_MAX_CONTENT_LENGTH < QUERY_LENGTH
      ? textSchema(limits.MEMORY_MAX_CONTENT_LENGTH, 'MEMORY_MAX_CONTENT_LENGTH')
      : textSchema(QUERY_LENGTH);
  return { execute: z.strictObject({ query, options }) };
}

export type AgentRequest = z.output<ReturnType<typeof agentRequestSchemas>['execute']>;
