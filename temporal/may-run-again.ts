import type { temporal } from '@temporalio/proto';
import type { ErrorCode } from '../src/base/error-codes';
import type { EngineConnection } from './engine';
import type { StartedRun } from './started-run';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Failures of the service or of what it depends on, and not of what was asked. */
const OWN_FAILURES: ReadonlySet<string> = new Set<ErrorCode>([
  'ENGINE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'EMBEDDER_UNAVAILABLE',
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_NOT_CONFIGURED',
]);

/** Activities that change nothing outside of their run. Local activities are not named: none of them has an effect. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['plan', 'generate', 'classifyPart']);

/**
 * Whether a run that has ended failed for the service's own reasons and before it could have had an effect, so that the
 * same request may be run once more. Reads the run's history, as far as its first effect.
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
  // No worker took it to its end.
  if (timedOut) return true;
  return OWN_FAILURES.has(failed?.failure?.applicationFailureInfo?.type ?? '');
}
