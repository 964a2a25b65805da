import { z } from 'zod';
import type { Config } from '../../src/settings/config';
import { RESPONSE_DETAIL_LEVELS } from '../../src/contracts/http/agent';
import { intentTypeSchema } from '../../src/contracts/http/intents';
import { scoreSchema } from '../../src/contracts/http/memory';
import { allowOption } from '../http/allow-option';
import { modelOptions } from '../http/model-options';
import { nameSchema, QUERY_LENGTH, textSchema } from '../http/text-schema';

export type AgentRequestLimits = Pick<
  Config,
  'TOOL_TIMEOUT_MS' | 'TOOL_MAX_ATTEMPTS' | 'MEMORY_MAX_CONTEXT_MEMORIES' | 'MEMORY_MAX_CONTENT_LENGTH'
>;

const MAX_TERMS = 10;
const TERM_LENGTH = 200;
const MAX_PREVIOUS = 50;
const DEFAULT_MEMORIES = 10;
const DEFAULT_TEMPERATURE = 0.7;

/** The bodies of the agent's requests; bounds that are settings name them. */
export function agentRequestSchemas(limits: AgentRequestLimits) {
  const { TOOL_TIMEOUT_MS, TOOL_MAX_ATTEMPTS, MEMORY_MAX_CONTEXT_MEMORIES: mostMemories } = limits;
  const options = z.object({
    userId: nameSchema,
    sessionId: nameSchema,
    includeMemoryContext: z.boolean().default(true).describe('Whether memory is asked'),
    maxMemoryResults: z
      .number()
      .int()
      .min(1)
      .max(mostMemories, `must be at most ${mostMemories} (MEMORY_MAX_CONTEXT_MEMORIES)`)
      .default(Math.min(DEFAULT_MEMORIES, mostMemories))
      .describe('Most memories, of both kinds together'),
    memoryThreshold: scoreSchema.optional().describe('Least relevance of a memory of either kind'),
    memorySearchTerms: z
      .array(textSchema(TERM_LENGTH))
      .max(MAX_TERMS)
      .default([])
      .describe('Looked for in memory beside the query, each by itself'),
    crossSessionMemory: z
      .boolean()
      .default(true)
      .describe('False: of events only those of this session; knowledge belongs to no session'),
    ...modelOptions,
    temperature: modelOptions.temperature.default(DEFAULT_TEMPERATURE),
    includeReasoning: z.boolean().default(true),
    previousIntents: z.array(intentTypeSchema).max(MAX_PREVIOUS).optional().describe('Oldest first'),
    hintIntent: intentTypeSchema.optional().describe('What the caller expects'),
    toolTimeout: z
      .number()
      .int()
      .min(1)
      .max(TOOL_TIMEOUT_MS, `must be at most ${TOOL_TIMEOUT_MS} ms (TOOL_TIMEOUT_MS)`)
      .optional()
      .describe('Limit of each tool call, milliseconds'),
    maxToolRetries: z
      .number()
      .int()
      .min(0)
      .max(TOOL_MAX_ATTEMPTS - 1, `must be at most ${TOOL_MAX_ATTEMPTS - 1} (TOOL_MAX_ATTEMPTS)`)
      .optional()
      .describe('Attempts at a tool call after the first one failed'),
    allow: allowOption,
    responseDetailLevel: z.enum(RESPONSE_DETAIL_LEVELS).default('standard'),
    excludeVectors: z
      .boolean()
      .optional()
      .describe('Default: true, but false at level full. Minimal has no memories at all'),
  });
  // A turn is remembered as it was said, and not cut.
  const query =
    limits.MEMORY_MAX_CONTENT_LENGTH < QUERY_LENGTH
      ? textSchema(limits.MEMORY_MAX_CONTENT_LENGTH, 'MEMORY_MAX_CONTENT_LENGTH')
      : textSchema(QUERY_LENGTH);
  return { execute: z.object({ query, options }) };
}

export type AgentRequest = z.output<ReturnType<typeof agentRequestSchemas>['execute']>;
