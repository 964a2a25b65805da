import type { z } from 'zod';
import type {
  BatchProblem,
  BatchQuery,
  ClassifiedQuery,
  ClassifyBatchInput,
  ClassifyBatchResult,
} from '../../src/contracts/intent-runs';
import { QUERIES_PER_PART } from '../../src/contracts/intent-runs';
import { type BatchResult, byIntent } from '../../src/contracts/intents';
import { isErrorCode } from '../../src/contracts/error-codes';
import { isHoldfastError } from '../../src/errors';
import { DEFAULTS } from '../../src/intent/service/defaults';
import type { RunClient } from '../../temporal/run-client';
import { ERROR_TABLE } from '../http/error-table';
import { parseInput } from '../http/input';
import type { RequestContext } from '../http/route';
import { batchQueryOptionsSchema, intentQuerySchema } from '../routes/intent-requests';
import type { RunLimitSettings } from '../runs/run-limits';
import { runTimeout } from '../runs/run-limits';
import { startRun } from '../runs/start-runs';
import { toQueryProblem } from './query-problem';

export interface BatchRequest {
  readonly queries: readonly { readonly id: string; readonly query?: unknown; readonly options?: unknown }[];
  readonly options: { readonly parallel: boolean; readonly maxConcurrency: number };
}

/** Starts batches of classifications and waits for them. */
export interface BatchRuns {
  /** @throws what `startRun` throws, and HoldfastError `INTENT_NOT_INITIALIZED` */
  classify(request: BatchRequest, context: RequestContext): Promise<BatchResult>;
}

export interface BatchRunsPorts {
  readonly client: RunClient;
  /** @throws HoldfastError `INTENT_NOT_INITIALIZED` */
  readonly checkInitialized: () => Promise<unknown>;
  readonly settings: RunLimitSettings;
}

/** Beyond the time of its classifications, what a part may take: queueing, and being lost with a worker, milliseconds. */
const PART_MARGIN_MS = 60_000;

export function createBatchRuns({ client, checkInitialized, settings }: BatchRunsPorts): BatchRuns {
  return {
    async classify(request, context) {
      const result = await startRun<ClassifyBatchResult>(
        client,
        {
          prefix: 'classify-batch',
          asked: request,
          prepare: async () => {
            await checkInitialized();
            const input = inputOf(request);
            const parts = Math.ceil(input.queries.length / QUERIES_PER_PART);
            return {
              workflowType: 'classifyBatch',
              input,
              subject: { area: 'intent' },
              summary: `${input.queries.length} queries, ${input.maxConcurrency} at once`,
              runTimeoutMs: runTimeout(settings, parts * input.partTimeoutMs),
            };
          },
        },
        context,
      );
      return toBatchResult(result);
    },
  };
}

function inputOf({ queries, options: { parallel, maxConcurrency } }: BatchRequest): ClassifyBatchInput {
  const prepared = queries.map(toBatchQuery);
  const longest = prepared.reduce(
    (most, entry) => Math.max(most, 'query' in entry ? (entry.options.timeout ?? DEFAULTS.timeout) : 0),
    0,
  );
  return {
    queries: prepared,
    maxConcurrency: parallel ? maxConcurrency : 1,
    partTimeoutMs: QUERIES_PER_PART * longest + PART_MARGIN_MS,
  };
}

/** What is wrong with one query is told in its place and leaves the others alone. */
function toBatchQuery({ id, query, options }: BatchRequest['queries'][number]): BatchQuery {
  try {
    return {
      id,
      query: parseInput(intentQuerySchema, query, 'query') as z.output<typeof intentQuerySchema>,
      options: parseInput(batchQueryOptionsSchema, options ?? {}, 'options') as z.output<
        typeof batchQueryOptionsSchema
      >,
    };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { code, message, details } = toQueryProblem(error, { query });
    const field = details?.['field'];
    return { id, problem: { code, message: typeof field === 'string' ? `${field}: ${message}` : message } };
  }
}

function toBatchResult({ queries, totalTime }: ClassifyBatchResult): BatchResult {
  const done = queries.flatMap((one) => ('intent' in one ? [one] : []));
  const mean = (of: (one: (typeof done)[number]) => number): number =>
    done.length === 0 ? 0 : done.reduce((sum, one) => sum + of(one), 0) / done.length;
  return {
    results: queries.map(toResult),
    summary: {
      totalQueries: queries.length,
      averageConfidence: mean(({ intent }) => intent.confidence),
      intentDistribution: byIntent((type) => done.filter(({ intent }) => intent.type === type).length),
      successfulClassifications: done.length,
      failedClassifications: queries.length - done.length,
      totalTime,
      averageTime: Math.round(mean(({ time }) => time) * 1_000) / 1_000,
    },
  };
}

function toResult(classified: ClassifiedQuery): BatchResult['results'][number] {
  const { id } = classified;
  return 'intent' in classified
    ? { id, intent: classified.intent }
    : { id, error: toError(classified.problem) };
}

function toError({ code, message }: BatchProblem) {
  return { code, error: ERROR_TABLE[isErrorCode(code) ? code : 'INTERNAL'].title, message };
}
