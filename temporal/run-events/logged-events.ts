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

/** Whether the steps of a run need an event of its history: all of its log but its result, which may be large. Pure. */
export function isOfSteps(event: HistoryEvent): boolean {
  return isLogged(event) && event.workflowExecutionCompletedEventAttributes == null;
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
    // The second argument of a turn is its files.
    const input = hasPrices(started) ? { payloads: started.input?.payloads?.slice(0, 1) ?? [] } : null;
    return { ...event, workflowExecutionStartedEventAttributes: { ...started, input } };
  }
  const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
  if (child)
    return { ...event, startChildWorkflowExecutionInitiatedEventAttributes: { ...child, input: null } };
  const continued = event.workflowExecutionContinuedAsNewEventAttributes;
  if (continued)
    return { ...event, workflowExecutionContinuedAsNewEventAttributes: { ...continued, input: null } };
  return event;
}
