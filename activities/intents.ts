import { setImmediate as nextIteration } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type {
  BatchProblem,
  BatchQuery,
  ClassifiedQuery,
  ClassifyPartInput,
} from '../src/contracts/runs/intents';
import { eachAtOnce } from '../src/base/async/each-at-once';
import { HoldfastError, isHoldfastError, messageOf } from '../src/base/errors';
import type { BatchableClassification, IntentClassification } from '../src/intent/service/classification';
import { isFailureCode } from '../src/intent/service/with-statistics';
import type { IntentStatisticsStore } from '../src/intent/statistics/intent-statistics';
import type { ClassificationOutcome } from '../src/intent/statistics/totals';

export interface IntentActivitiesPorts {
  /** Returns the classification for a run, which may or may not call a provider at a private address. */
  readonly classificationFor: (allowPrivate: boolean) => Pick<BatchableClassification, 'forBatch'>;
  readonly statistics: Pick<IntentStatisticsStore, 'record'>;
}

/** The steps of a batch of classifications. */
export interface IntentActivities {
  /**
   * Classifies and counts a part of a batch.
   * @returns one entry a query, in the order given; a query that failed has its error in its entry
   */
  classifyPart(input: ClassifyPartInput): Promise<ClassifiedQuery[]>;
}

export function createIntentActivities({
  classificationFor,
  statistics,
}: IntentActivitiesPorts): IntentActivities {
  async function classifyOne(
    classification: IntentClassification,
    entry: BatchQuery,
    signal: AbortSignal,
  ): Promise<ClassifiedQuery> {
    const { id } = entry;
    if ('problem' in entry) return { id, problem: entry.problem };
    try {
      const { intent, metadata } = await classification.classify(entry.query, entry.options, signal);
      const { classificationTime: time, usage } = metadata;
      return { id, intent, time, usage };
    } catch (error) {
      signal.throwIfAborted();
      // A retryable error repeats the whole part, for example while the store is away. Any other error fails this query
      // alone.
      if (isHoldfastError(error) && error.retryable) throw error;
      return { id, problem: toProblem(error) };
    }
  }

  function toProblem(error: unknown): BatchProblem {
    if (isHoldfastError(error)) return { code: error.code, message: error.message };
    Context.current().log.error('A query of a batch failed unexpectedly', { reason: messageOf(error) });
    return { code: 'INTERNAL', message: 'An unexpected error occurred' };
  }

  return {
    async classifyPart({ part, queries, concurrency, allowPrivate = false }) {
      const { cancellationSignal: signal, info, log } = Context.current();
      const runId = info.workflowExecution?.runId;
      if (runId === undefined)
        throw new HoldfastError('INTERNAL', 'A batch can only be classified inside a workflow run');
      const classification = classificationFor(allowPrivate).forBatch();
      const classified: ClassifiedQuery[] = [];
      const failed = new AbortController();
      const ended = AbortSignal.any([signal, failed.signal]);
      await eachAtOnce(queries.entries(), concurrency, async ([index, entry]) => {
        try {
          ended.throwIfAborted();
          classified[index] = await classifyOne(classification, entry, ended);
        } catch (error) {
          // The first failure stops the classification of all other queries.
          failed.abort(error);
          throw error;
        }
        // Rules run without waiting for anything, so this lets the event loop send heartbeats in between.
        await nextIteration();
      });
      signal.throwIfAborted();
      const outcomes = classified.flatMap((each) => toOutcome(each) ?? []);
      await statistics.record(outcomes, `${runId}/${part}`).catch((error: unknown) => {
        log.warn('Classifications were not counted', { part, reason: messageOf(error) });
      });
      return classified;
    },
  };
}

/** A query that was rejected as invalid is not counted as a classification. */
function toOutcome(classified: ClassifiedQuery): ClassificationOutcome | undefined {
  if ('intent' in classified) return classified;
  return isFailureCode(classified.problem.code) ? 'failed' : undefined;
}
