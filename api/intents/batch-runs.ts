import type { z } from 'zod';
import type { BatchQuery, ClassifyBatchInput } from '../../src/contracts/runs/intents';
import { QUERIES_PER_PART } from '../../src/contracts/runs/intents';
import type { BatchResult } from '../../src/contracts/http/intents';
import { isHoldfastError } from '../../src/base/errors';
import { DEFAULTS } from '../../src/intent/service/defaults';
import type { ModelProviders } from '../../src/llm/model-providers';
import type { RunClient } from '../../temporal/run-client';
import { parseInput } from '../http/input';
import { asQueryProblem } from '../http/query-problem';
import type { RequestContext } from '../http/route';
import { querySchema } from '../http/text-schema';
import type { RunLimitSettings } from '../runs/run-limits';
import { runTimeout } from '../runs/run-limits';
import { startRun } from '../runs/start-runs';
import { batchQueryOptionsSchema } from './query-options';

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
  readonly providers: () => Promise<ModelProviders>;
  readonly settings: RunLimitSettings;
}

const toQueryProblem = asQueryProblem('INTENT_QUERY_INVALID');

/** Beyond the time of its classifications, what a part may take: queueing, and being lost with a worker, milliseconds. */
const PART_MARGIN_MS = 60_000;

export function createBatchRuns({ client, settings, ...ports }: BatchRunsPorts): BatchRuns {
  return {
    classify(request, context) {
      const input = inputOf(request);
      return startRun<BatchResult>(
        client,
        {
          prefix: 'classify-batch',
          // Without who asks: the hash of it stands in the run's memo.
          asked: input,
          prepare: async () => {
            const providers = await ports.providers();
            const rounds = Math.ceil(input.queries.length / QUERIES_PER_PART);
            return {
              workflowType: 'classifyBatch',
              input: {
                ...input,
                queries: input.queries.map((entry) => marked(entry, providers)),
                ...(settings.EGRESS_ALLOW_PRIVATE ? { allowPrivate: true } : {}),
              },
              subject: { area: 'intent' },
              summary: `${input.queries.length} queries, ${input.maxConcurrency} at once`,
              runTimeoutMs: runTimeout(settings, rounds * input.partTimeoutMs),
            };
          },
        },
        context,
      );
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

/** Tells the run whether a query waits for a model; who answers is found out again when it is classified. */
function marked(entry: BatchQuery, providers: ModelProviders): BatchQuery {
  if ('problem' in entry) return entry;
  return asksModel(providers, entry.options.model) ? { ...entry, asksModel: true } : entry;
}

function asksModel(providers: ModelProviders, model: string | undefined): boolean {
  try {
    return providers.resolve(model).provider.name !== 'builtin';
  } catch (error) {
    // Nobody is asked: the query fails by itself.
    if (isHoldfastError(error)) return false;
    throw error;
  }
}

/** What is wrong with one query is told in its place and leaves the others alone. */
function toBatchQuery({ id, query, options }: BatchRequest['queries'][number]): BatchQuery {
  try {
    // Who asks is of no use to the run, and what is not in its history need never be taken out of it.
    const {
      userId: _user,
      sessionId: _session,
      ...own
    } = parseInput(batchQueryOptionsSchema, options ?? {}, 'options') as z.output<
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
