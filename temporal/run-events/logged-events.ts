import type { temporal } from '@temporalio/proto';
import { hasPrices } from './run-costs';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The events that a log is made of. The others are the server's own, such as those of workflow tasks. */
const LOGGED = [
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
  'workflowExecutionCancelRequestedEventAttributes',
  'markerRecordedEventAttributes',
  'activityTaskScheduledEventAttributes',
  'activityTaskStartedEventAttributes',
  'activityTaskCompletedEventAttributes',
  'activityTaskFailedEventAttributes',
  'activityTaskTimedOutEventAttributes',
  'activityTaskCanceledEventAttributes',
  'signalExternalWorkflowExecutionInitiatedEventAttributes',
  'externalWorkflowExecutionSignaledEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
  'startChildWorkflowExecutionFailedEventAttributes',
  'childWorkflowExecutionStartedEventAttributes',
  'childWorkflowExecutionCompletedEventAttributes',
  'childWorkflowExecutionFailedEventAttributes',
  'childWorkflowExecutionCanceledEventAttributes',
  'childWorkflowExecutionTimedOutEventAttributes',
  'childWorkflowExecutionTerminatedEventAttributes',
] as const satisfies readonly (keyof HistoryEvent)[];

/** The activities whose input names the step. */
const NAMED_BY_INPUT: ReadonlySet<string> = new Set(['runTool', 'generate']);

/** Whether the log of a run needs an event of its history. Pure. */
export function isLogged(event: HistoryEvent): boolean {
  return LOGGED.some((attributes) => event[attributes] != null);
}

/** The events by which a run asks for approvals, and learns of their answers. */
const OF_APPROVALS = [
  'startChildWorkflowExecutionInitiatedEventAttributes',
  'startChildWorkflowExecutionFailedEventAttributes',
  'childWorkflowExecutionStartedEventAttributes',
  'childWorkflowExecutionCompletedEventAttributes',
  'childWorkflowExecutionCanceledEventAttributes',
  'childWorkflowExecutionTerminatedEventAttributes',
] as const satisfies readonly (typeof LOGGED)[number][];

/** Whether an event may be one of an approval. Pure. */
export function mayBeOfApproval(event: HistoryEvent): boolean {
  return OF_APPROVALS.some((attributes) => event[attributes] != null);
}

/** Leaves out the inputs that no log needs, because a large one would be read from the store of values. Pure. */
export function withoutInput(event: HistoryEvent): HistoryEvent {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled) {
    if (NAMED_BY_INPUT.has(scheduled.activityType?.name ?? '')) return event;
    return { ...event, activityTaskScheduledEventAttributes: { ...scheduled, input: null } };
  }
  const started = event.workflowExecutionStartedEventAttributes;
  if (started) {
    if (hasPrices(started)) return event;
    return { ...event, workflowExecutionStartedEventAttributes: { ...started, input: null } };
  }
  const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
  if (child)
    return { ...event, startChildWorkflowExecutionInitiatedEventAttributes: { ...child, input: null } };
  const continued = event.workflowExecutionContinuedAsNewEventAttributes;
  if (continued)
    return { ...event, workflowExecutionContinuedAsNewEventAttributes: { ...continued, input: null } };
  return event;
}
