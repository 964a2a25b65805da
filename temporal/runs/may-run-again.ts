import type { temporal } from '@temporalio/proto';
import type { ErrorCode } from '../../src/base/error-codes';
import type { EngineConnection } from '../engine';
import type { StartedRun } from './started-run';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Failures of the service or of its dependencies, which the request has not caused. */
const OWN_FAILURES: ReadonlySet<string> = new Set<ErrorCode>([
  'ENGINE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'EMBEDDER_UNAVAILABLE',
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_NOT_CONFIGURED',
]);

/**
 * Activities that change nothing outside of their run. Local activities are not listed, because none of them has an
 * effect.
 */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['plan', 'generate', 'classifyPart']);

/**
 * Whether a run that has ended failed for reasons of the service and before it could have had an effect, so that the
 * same request may run once more. It reads the history of the run up to the first event with an effect.
 */
export async function mayRunAgain(
  { client, namespace }: EngineConnection,
  { workflowId, runId }: StartedRun,
): Promise<boolean> {
  let nextPageToken: Uint8Array = new Uint8Array();
  let last: HistoryEvent | undefined;
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId, runId },
      nextPageToken,
    });
    const events = page.history?.events ?? [];
    if (events.some(mayHaveEffect)) return false;
    last = events.at(-1) ?? last;
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
  return last !== undefined && isOwnFailure(last);
}

function mayHaveEffect(event: HistoryEvent): boolean {
  const { activityTaskScheduledEventAttributes: activity } = event;
  if (activity) return !WITHOUT_EFFECT.has(activity.activityType?.name ?? '');
  return Boolean(
    event.startChildWorkflowExecutionInitiatedEventAttributes ??
    event.signalExternalWorkflowExecutionInitiatedEventAttributes ??
    event.workflowExecutionContinuedAsNewEventAttributes,
  );
}

function isOwnFailure({
  workflowExecutionFailedEventAttributes: failed,
  workflowExecutionTimedOutEventAttributes: timedOut,
}: HistoryEvent): boolean {
  // A run times out if no worker has completed it.
  if (timedOut) return true;
  return OWN_FAILURES.has(failed?.failure?.applicationFailureInfo?.type ?? '');
}
