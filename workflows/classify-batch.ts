import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { IntentActivities } from '../activities/intents';
import type {
  BatchProblem,
  BatchQuery,
  ClassifiedQuery,
  ClassifyBatchInput,
  ClassifyBatchResult,
} from '../src/contracts/intent-runs';
import { QUERIES_PER_PART } from '../src/contracts/intent-runs';
import { RETRY_DELAYS } from '../src/contracts/retries';
import { forEachItem } from './for-each';
import type { ProgressStep } from './progress';
import { showProgress } from './progress';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './tool-step';

/**
 * Classifies queries in parts, several at once. A part that is lost with its worker is classified again, the others are not;
 * one that cannot be classified fails alone.
 */
export async function classifyBatch({
  queries,
  maxConcurrency,
  partTimeoutMs,
}: ClassifyBatchInput): Promise<ClassifyBatchResult> {
  const started = Date.now();
  const parts = partsOf(queries);
  const lanes = Math.min(maxConcurrency, parts.length);
  const progress = showProgress(parts.map((part, index) => stateOf(part, index, 'waiting')));
  const settled = await forEachItem(parts, { concurrency: lanes, settle: true }, async (part, index) => {
    progress.note(stateOf(part, index, 'running'));
    try {
      const classified = await activities(part, partTimeoutMs).classifyPart({
        part: index + 1,
        queries: part,
        concurrency: Math.max(1, Math.floor(maxConcurrency / lanes)),
      });
      progress.note(stateOf(part, index, 'completed'));
      return classified;
    } catch (error) {
      progress.note(stateOf(part, index, isCancellation(error) ? 'cancelled' : 'failed'));
      throw error;
    }
  });
  return {
    queries: settled.flatMap((one, index): readonly ClassifiedQuery[] =>
      one.status === 'fulfilled' ? one.value : failAll(parts[index] ?? [], one.reason),
    ),
    totalTime: Date.now() - started,
  };
}

function partsOf(queries: readonly BatchQuery[]): (readonly BatchQuery[])[] {
  const count = Math.ceil(queries.length / QUERIES_PER_PART);
  return Array.from({ length: count }, (_, index) =>
    queries.slice(index * QUERIES_PER_PART, (index + 1) * QUERIES_PER_PART),
  );
}

function activities(part: readonly BatchQuery[], timeoutMs: number): IntentActivities {
  return proxyActivities<IntentActivities>({
    scheduleToCloseTimeout: timeoutMs,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: `classify ${part.length} queries`,
  });
}

function stateOf(part: readonly BatchQuery[], index: number, state: ProgressStep['state']): ProgressStep {
  return { step: `part ${index + 1}`, what: `${part.length} queries`, state };
}

/** @throws the cancellation of the run, which is no query's failure */
function failAll(part: readonly BatchQuery[], reason: unknown): ClassifiedQuery[] {
  if (isCancellation(reason)) throw reason;
  const problem = toProblem(reason);
  return part.map(({ id }) => ({ id, problem }));
}

function toProblem(reason: unknown): BatchProblem {
  const cause = reason instanceof ActivityFailure ? reason.cause : reason;
  if (cause instanceof TimeoutFailure) {
    return { code: 'CLASSIFICATION_TIMEOUT', message: 'The time for this part of the batch was over' };
  }
  return cause instanceof ApplicationFailure
    ? { code: cause.type ?? 'INTERNAL', message: cause.message }
    : { code: 'INTERNAL', message: 'The query could not be classified' };
}
