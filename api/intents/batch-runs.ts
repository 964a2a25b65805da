import type { z } from 'zod';
import { type BatchQuery, type ClassifyBatchInput, QUERIES_PER_PART } from '../../src/contracts/runs/intents';
import type { BatchResult } from '../../src/contracts/http/intents';
import { isHoldfastError } from '../../src/base/errors';
import { DEFAULTS } from '../../src/intent/service/defaults';
import type { ModelProviders } from '../../src/llm/model-providers';
import { contractNames } from '../http/contract-names';
import { parseInput, readInput, asQueryProblem } from '../http/input';
import { querySchema } from '../../src/contracts/http/text-schema';
import { type RunLimitSettings, runTimeout } from '../../requests/run-limits';
import type { CallerRuns } from '../../requests/caller-runs';
import { startRun } from '../../requests/start-runs';
import type { Starting } from '../../requests/starting';
import { batchQueryOptionsSchema } from './query-options';

export interface BatchRequest {
  readonly queries: readonly { readonly id: string; readonly query?: unknown; readonly options?: unknown }[];
  readonly options: { readonly parallel: boolean; readonly maxConcurrency: number };
}

/** Starts batches of classifications and waits for them. */
export interface BatchRuns {
  /** Classifies a batch. @throws HoldfastError `INTENT_NOT_INITIALIZED`, or as `startRun` does */
  classify(request: BatchRequest, context: Starting): Promise<BatchResult>;
  /** Classifies the queries of another run again, by the providers of today. @throws HoldfastError as `classify` does */
  again(first: ClassifyBatchInput, context: Starting): Promise<BatchResult>;
}

export interface BatchRunsPorts {
  readonly client: CallerRuns;
  /** @throws HoldfastError `INTENT_NOT_INITIALIZED` */
  readonly providers: () => Promise<ModelProviders>;
  readonly settings: RunLimitSettings;
}

const ACCEPTED = contractNames('/api/intent-classifier/classify-batch');
const toQueryProblem = asQueryProblem('INTENT_QUERY_INVALID');

/** A part may take this much longer than its classifications, for queueing and for a lost worker, milliseconds. */
const PART_MARGIN_MS = 60_000;

export function createBatchRuns({ client, settings, ...ports }: BatchRunsPorts): BatchRuns {
  const start = (batch: Batch, context: Starting): Promise<BatchResult> => {
    const input = withTimeLimit(batch);
    return startRun<BatchResult>(
      client,
      {
        prefix: 'classify-batch',
        // The input has no user, because the run's memo contains its hash.
        asked: input,
        prepare: async () => {
          const providers = await ports.providers();
          const rounds = Math.ceil(input.queries.length / QUERIES_PER_PART);
          return {
            workflowType: 'classifyBatch',
            input: {
              ...input,
              partTimeoutMs: input.partTimeoutMs + settings.LLM_MAX_WAIT_MS,
              queries: input.queries.map((entry) => markModelQuery(entry, providers)),
              ...(settings.EGRESS_ALLOW_PRIVATE ? { allowPrivate: true } : {}),
            },
            subject: { area: 'intent' },
            summary: `${input.queries.length} queries, ${input.maxConcurrency} at once`,
            runTimeoutMs: runTimeout(settings, rounds * input.partTimeoutMs + settings.LLM_MAX_WAIT_MS),
          };
        },
      },
      context,
    );
  };
  return {
    classify: ({ queries, options: { parallel, maxConcurrency } }, context) =>
      start({ queries: queries.map(toBatchQuery), maxConcurrency: parallel ? maxConcurrency : 1 }, context),
    again: ({ queries, maxConcurrency }, context) => start({ queries, maxConcurrency }, context),
  };
}

type Batch = Pick<ClassifyBatchInput, 'queries' | 'maxConcurrency'>;

function withTimeLimit({ queries, maxConcurrency }: Batch): ClassifyBatchInput {
  const maxTimeoutMs = queries.reduce(
    (most, entry) => Math.max(most, 'query' in entry ? (entry.options.timeout ?? DEFAULTS.timeout) : 0),
    0,
  );
  return { queries, maxConcurrency, partTimeoutMs: QUERIES_PER_PART * maxTimeoutMs + PART_MARGIN_MS };
}

/**
 * Marks a query that waits for a model, for the choice of a queue. The activity resolves the model again when it
 * classifies.
 */
function markModelQuery(entry: BatchQuery, providers: ModelProviders): BatchQuery {
  if ('problem' in entry) return entry;
  const { id, query, options } = entry;
  return { id, query, options, ...(asksModel(providers, options.model) ? { asksModel: true } : {}) };
}

function asksModel(providers: ModelProviders, model: string | undefined): boolean {
  try {
    return providers.resolve(model).provider.name !== 'builtin';
  } catch (error) {
    // The model is unknown, so no model is asked, and the query fails when it is classified.
    if (isHoldfastError(error)) return false;
    throw error;
  }
}

/** Validates one query of a batch. An invalid query gets its problem in its place and does not affect the others. */
function toBatchQuery({ id, query, options }: BatchRequest['queries'][number]): BatchQuery {
  try {
    // The run does not need the user, and an erasure need not remove what is not in a history.
    const {
      userId: _user,
      sessionId: _session,
      ...ownOptions
    } = readInput(batchQueryOptionsSchema, options ?? {}, 'options', { names: ACCEPTED }).data as z.output<
      typeof batchQueryOptionsSchema
    >;
    const text = parseInput(querySchema, query, 'query') as z.output<typeof querySchema>;
    return { id, query: text, options: ownOptions };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { code, message, details } = toQueryProblem(error, { query });
    const field = details?.['field'];
    return { id, problem: { code, message: typeof field === 'string' ? `${field}: ${message}` : message } };
  }
}
