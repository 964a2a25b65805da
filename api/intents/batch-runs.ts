import type { z } from 'zod';
import { type BatchQuery, type ClassifyBatchInput, QUERIES_PER_PART } from '../../src/contracts/runs/intents';
import type { BatchResult } from '../../src/contracts/http/intents';
import { isHoldfastError } from '../../src/base/errors';
import { DEFAULTS } from '../../src/intent/service/defaults';
import type { ModelProviders } from '../../src/llm/model-providers';
import { contractNames } from '../http/contract-names';
import { parseInput, readInput } from '../http/input';
import { asQueryProblem } from '../http/query-problem';
import type { RequestContext } from '../http/route';
import { querySchema } from '../../src/contracts/http/text-schema';
import { type RunLimitSettings, runTimeout } from '../runs/run-limits';
import type { CallerRuns } from '../runs/caller-runs';
import { startRun } from '../runs/start-runs';
import { batchQueryOptionsSchema } from './query-options';

export interface BatchRequest {
  readonly queries: readonly { readonly id: string; readonly query?: unknown; readonly options?: unknown }[];
  readonly options: { readonly parallel: boolean; readonly maxConcurrency: number };
}

/** Starts batches of classifications and waits for them. */
export interface BatchRuns {
  /** Classifies a batch. @throws HoldfastError `INTENT_NOT_INITIALIZED`, or as `startRun` does */
  classify(request: BatchRequest, context: RequestContext): Promise<BatchResult>;
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
  return {
    classify(request, context) {
      const input = buildBatchInput(request);
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
    },
  };
}

function buildBatchInput({
  queries,
  options: { parallel, maxConcurrency },
}: BatchRequest): ClassifyBatchInput {
  const prepared = queries.map(toBatchQuery);
  const maxTimeoutMs = prepared.reduce(
    (most, entry) => Math.max(most, 'query' in entry ? (entry.options.timeout ?? DEFAULTS.timeout) : 0),
    0,
  );
  return {
    queries: prepared,
    maxConcurrency: parallel ? maxConcurrency : 1,
    partTimeoutMs: QUERIES_PER_PART * maxTimeoutMs + PART_MARGIN_MS,
  };
}

/**
 * Marks a query that waits for a model, for the choice of a queue. The activity resolves the model again when it
 * classifies.
 */
function markModelQuery(entry: BatchQuery, providers: ModelProviders): BatchQuery {
  if ('problem' in entry) return entry;
  return asksModel(providers, entry.options.model) ? { ...entry, asksModel: true } : entry;
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
      ...own
    } = readInput(batchQueryOptionsSchema, options ?? {}, 'options', { names: ACCEPTED }).data as z.output<
      typeof batchQueryOptionsSchema
    >;
    const text = parseInput(querySchema, query, 'query') as z.output<typeof querySchema>;
    return { id, query: text, options: own };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { code, message, details } = toQueryProblem(error, { query });
    const field = details?.['field'];
    return { id, problem: { code, message: typeof field === 'string' ? `${field}: ${message}` : message } };
  }
}
