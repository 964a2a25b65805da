import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { IntentActivities } from '../activities/intents';
import {
  type BatchProblem,
  type BatchQuery,
  type ClassifiedQuery,
  type ClassifyBatchInput,
  PARTS_AT_ONCE,
  QUERIES_PER_PART,
} from '../src/contracts/runs/intents';
import type { BatchResult } from '../src/contracts/http/intents';
import { RETRY_DELAYS } from '../src/contracts/retries';
import { causeOf } from './steps/cause-of';
import { type ProgressStep, showProgress } from './steps/progress';
import { inQueue, notTaken } from './steps/step-queue';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './steps/retries';
import { byIntent } from '../src/contracts/intent-types';

type Part = readonly BatchQuery[];

/**
 * Classifies queries in parts, several parts at once. A part that is lost with its worker is classified again, and a
 * part that cannot be classified fails alone; neither affects the other parts.
 */
export async function classifyBatch({
  queries,
  maxConcurrency,
  partTimeoutMs,
  allowPrivate,
}: ClassifyBatchInput): Promise<BatchResult> {
  const started = Date.now();
  const parts = splitIntoParts(queries);
  const progress = showProgress(parts.map((part, index) => toProgressStep(part, index, 'waiting')));
  const done: (readonly ClassifiedQuery[])[] = [];
  const left = parts.entries();

  async function takeParts(concurrency: number): Promise<void> {
    for (const [index, part] of left) {
      const note = (state: ProgressStep['state']): void => progress.note(toProgressStep(part, index, state));
      note('running');
      try {
        const input = {
          part: index + 1,
          queries: part,
          concurrency,
          allowPrivate: allowPrivate === true ? true : undefined,
        };
        done[index] = await activities(part, partTimeoutMs).classifyPart(input);
        note('completed');
      } catch (error) {
        note(isCancellation(error) ? 'cancelled' : 'failed');
        if (isCancellation(error)) throw error;
        const problem = toProblem(error, part);
        done[index] = part.map(({ id }) => ({ id, problem }));
      }
    }
  }

  const partsAtOnce = Math.min(maxConcurrency, parts.length, PARTS_AT_ONCE);
  await Promise.all(splitEvenly(maxConcurrency, partsAtOnce).map(takeParts));
  return summariseBatch(done.flat(), Date.now() - started);
}

/** Splits queries into parts of nearly equal size, in their order. */
function splitIntoParts(queries: Part): Part[] {
  const sizes = splitEvenly(queries.length, Math.ceil(queries.length / QUERIES_PER_PART));
  let from = 0;
  return sizes.map((size) => {
    from += size;
    return queries.slice(from - size, from);
  });
}

/** Writes `total` as a sum of `count` numbers that differ by at most one, the larger ones first. */
function splitEvenly(total: number, count: number): number[] {
  const min = Math.floor(total / count);
  const larger = total % count;
  return Array.from({ length: count }, (_, index) => (index < larger ? min + 1 : min));
}

function activities(part: Part, timeoutMs: number): IntentActivities {
  return proxyActivities<IntentActivities>({
    ...(asksModel(part) ? inQueue('models') : {}),
    scheduleToCloseTimeout: timeoutMs,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: `classify ${part.length} queries`,
  });
}

function asksModel(part: Part): boolean {
  return part.some((entry) => 'query' in entry && entry.asksModel === true);
}

function toProgressStep(part: Part, index: number, state: ProgressStep['state']): ProgressStep {
  return { step: `part ${index + 1}`, what: `${part.length} queries`, state };
}

function toProblem(error: unknown, part: Part): BatchProblem {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) {
    const late = 'The time for this part of the batch was over';
    const { reason } = (asksModel(part) ? notTaken(cause, 'models') : undefined) ?? {};
    return { code: 'CLASSIFICATION_TIMEOUT', message: reason === undefined ? late : `${late}: ${reason}` };
  }
  return cause instanceof ApplicationFailure
    ? { code: cause.type ?? 'INTERNAL', message: cause.message }
    : { code: 'INTERNAL', message: 'The query could not be classified' };
}

/** Builds the result of a batch from its classified queries. Pure. @param totalTime milliseconds */
function summariseBatch(queries: readonly ClassifiedQuery[], totalTime: number): BatchResult {
  const done = queries.flatMap((one) => ('intent' in one ? [one] : []));
  const mean = (of: (one: (typeof done)[number]) => number): number =>
    done.length === 0 ? 0 : done.reduce((sum, one) => sum + of(one), 0) / done.length;
  return {
    results: queries.map((one) =>
      'intent' in one ? { id: one.id, intent: one.intent } : { id: one.id, error: one.problem },
    ),
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
