import { z } from 'zod';
import { isIP } from 'node:net';
import { INTENT_DESCRIPTIONS, INTENT_TYPES, type IntentType } from '../../src/contracts/intent-types';
import {
  batchResultSchema,
  classificationSchema,
  intentStatisticsSchema,
  intentTypeSchema,
} from '../../src/contracts/http/intents';
import { PROVIDERS } from '../../src/contracts/http/llm';
import type { IntentClassification } from '../../src/intent/service/classification';
import type { Intents } from '../../src/intent/service/create-intents';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { takingOthers } from '../http/schema-keys';
import type { BatchRuns } from './batch-runs';
import { type IntentRequestLimits, intentRequestSchemas } from './intent-requests';
import { findRefusal } from '../../src/egress/refusals';
import { validationError } from '../../src/base/errors';
import { asQueryProblem } from '../http/input';

const EXAMPLES: Readonly<Record<IntentType, string[]>> = {
  conversation: ['Good morning, how are you?', 'That made me laugh', 'Do you ever get bored?'],
  tool_execution: [
    'What is 15 times 7?',
    'Fetch https://example.com/orders and count them',
    'Will it rain in Oslo?',
  ],
  memory_chat: [
    'What did I say about the roof?',
    'My sister is called Noor',
    'Which tea was it that I like?',
  ],
  hybrid: ['Add 20 % to the rate I gave you', 'What is the weather in the town I live in?'],
  knowledge_search: ['Why is the sky blue?', 'How long does a passport stay valid?'],
};
const CHARACTERISTICS: Readonly<Record<IntentType, string[]>> = {
  conversation: [
    'greetings, moods and remarks',
    'needs neither memory nor tools',
    'a number in it is small talk',
  ],
  tool_execution: ['everything needed is in the message', 'calculations, requests, files, JSON, weather'],
  memory_chat: [
    'asks about something said before, or states something to remember',
    'about the person and their life',
  ],
  hybrid: ['refers to something said earlier', 'and asks for work with it'],
  knowledge_search: ['about the world and not about the person', 'facts, reasons, definitions, history'],
};

const FIELD = 'llmConfig.localBaseUrl';

/** What the routes of intents need of the caller's tenant. */
export interface IntentServices {
  readonly intents: Pick<Intents, 'initialization' | 'statistics'>;
  /** Classifies, and counts each classification. */
  readonly classification: IntentClassification;
  readonly runs: { readonly batches: BatchRuns };
}

const { defineRoute } = routesWith<IntentServices>();

const TAG = 'Intents';

/** The routes that classify messages by intent. */
export function intentRoutes(limits: IntentRequestLimits): AnyRoute<IntentServices>[] {
  const requests = intentRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/intent-classifier/initialize',
      ...documentedAs('initializeIntentClassifier'),
      access: 'admin',
      concerns: 'service',
      tag: TAG,
      summary: 'Choose the provider that classifies, permanently and for all processes',
      description:
        'An empty body takes the configured provider. A later call replaces the settings of an earlier one.',
      message: 'Intent classifier initialized successfully',
      request: { body: requests.initialize },
      response: z.object({
        initialized: z.literal(true),
        availableIntentTypes: z.array(intentTypeSchema),
        intentTypeDescriptions: z.record(intentTypeSchema, z.string()),
        provider: z.enum(PROVIDERS),
      }),
      handler: async ({ body: { llmConfig } }, { services }) => {
        const { initialization } = services.intents;
        checkProviderAddress(llmConfig.localBaseUrl, limits);
        await initialization.initialize(llmConfig);
        const providers = await initialization.providers();
        return {
          initialized: true as const,
          availableIntentTypes: [...INTENT_TYPES],
          intentTypeDescriptions: INTENT_DESCRIPTIONS,
          provider: providers.resolve().provider.name,
        };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/intent-classifier/classify',
      ...documentedAs('classifyIntent'),
      access: 'run',
      tag: TAG,
      summary: 'Classify the intent of a message',
      message: 'Query classified successfully',
      request: { body: takingOthers(requests.classify) },
      response: classificationSchema,
      onInvalid: asQueryProblem('INTENT_QUERY_INVALID'),
      handler: ({ body }, context) =>
        context.services.classification.classify(body.query, body.options, context.signal()),
    }),
    defineRoute({
      method: 'post',
      path: '/api/intent-classifier/classify-batch',
      ...documentedAs('classifyIntents'),
      access: 'run',
      tag: TAG,
      summary: 'Classify the intents of many messages',
      description: 'Results are in the order of the request. A query that cannot be classified fails alone.',
      message: 'Batch classification completed successfully',
      startsRun: true,
      request: { body: takingOthers(requests.batch) },
      response: batchResultSchema,
      handler: ({ body }, context) => context.services.runs.batches.classify(body, context),
    }),
    defineRoute({
      method: 'get',
      path: '/api/intent-classifier/intent-types',
      ...documentedAs('listIntentTypes'),
      access: 'read',
      tag: TAG,
      summary: 'The types, with examples',
      message: 'Intent types retrieved successfully',
      request: {},
      response: z.object({
        intentTypes: z.array(
          z.object({
            type: intentTypeSchema,
            description: z.string(),
            examples: z.array(z.string()),
            characteristics: z.array(z.string()),
          }),
        ),
      }),
      handler: () => Promise.resolve({ intentTypes: describeIntentTypes() }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/intent-classifier/stats',
      ...documentedAs('getIntentStatistics'),
      access: 'read',
      tag: TAG,
      summary: 'Statistics of all classifications',
      message: 'Intent classifier statistics retrieved successfully',
      request: {},
      response: intentStatisticsSchema,
      handler: async (_input, { services: { intents } }) => {
        await intents.initialization.providers();
        return intents.statistics.read();
      },
    }),
  ];
}

/**
 * Rejects an address that no connection would be made to. A host name is checked only when a connection is made.
 * @throws HoldfastError `VALIDATION`
 */
function checkProviderAddress(
  address: string | undefined,
  { EGRESS_ALLOW_PRIVATE }: { readonly EGRESS_ALLOW_PRIVATE: boolean },
): void {
  if (address === undefined) return;
  const { hostname, username, password, search, hash } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw validationError(FIELD, 'must have neither user name nor password, query nor fragment');
  }
  const host = hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) ? findRefusal(host, host, EGRESS_ALLOW_PRIVATE) : undefined;
  if (refusal !== undefined) throw validationError(FIELD, refusal.message);
}

interface IntentTypeInfo {
  readonly type: IntentType;
  readonly description: string;
  readonly examples: string[];
  readonly characteristics: string[];
}

/** Describes the five intent types for callers, with examples. */
function describeIntentTypes(): IntentTypeInfo[] {
  return INTENT_TYPES.map((type) => ({
    type,
    description: INTENT_DESCRIPTIONS[type],
    examples: EXAMPLES[type],
    characteristics: CHARACTERISTICS[type],
  }));
}
