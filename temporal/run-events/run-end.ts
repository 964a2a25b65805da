import { WorkflowFailedError } from '@temporalio/client';
import {
  CancelledFailure,
  defaultFailureConverter,
  defaultPayloadConverter,
  RetryState,
  TerminatedFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { RunEvent } from '../../src/contracts/http/run-events';
import type { HoldfastError } from '../../src/base/errors';
import { describeCancellation } from '../runs/cancel-reason';
import { toRunError } from '../runs/run-errors';
import type { StartedRun } from '../runs/started-run';
import { readFirst } from '../payloads/large-values';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type RunEnd = Pick<RunEvent, 'type' | 'reason' | 'result' | 'error'>;

/**
 * Reads the last event of a run. Its error is that of the run's record. Pure.
 * @param cancelReason why the cancellation of the run was requested
 * @returns undefined for any other event
 */
export function readRunEnd(
  event: HistoryEvent,
  run: StartedRun,
  cancelReason: string | undefined,
): RunEnd | undefined {
  const completed = event.workflowExecutionCompletedEventAttributes;
  if (completed) return { type: 'run.completed', result: readFirst(completed.result) ?? null };
  const failed = event.workflowExecutionFailedEventAttributes;
  if (failed) {
    const cause = defaultFailureConverter.failureToError(failed.failure ?? {}, defaultPayloadConverter);
    const error = toError(cause, run);
    const reason = error.code === 'BUDGET_EXHAUSTED' ? { reason: 'budget_exhausted' } : {};
    return { type: 'run.failed', ...reason, error };
  }
  if (event.workflowExecutionCanceledEventAttributes) {
    const { message, ...error } = toError(new CancelledFailure('cancelled'), run);
    const why = cancelReason === undefined ? message : describeCancellation(cancelReason);
    return { type: 'run.cancelled', error: { ...error, message: why } };
  }
  const terminated = event.workflowExecutionTerminatedEventAttributes;
  if (terminated) {
    const cause = new TerminatedFailure(terminated.reason || 'Workflow execution terminated');
    return { type: 'run.terminated', error: toError(cause, run) };
  }
  if (event.workflowExecutionTimedOutEventAttributes) {
    const cause = new TimeoutFailure('timed out', undefined, TimeoutType.START_TO_CLOSE);
    return { type: 'run.timed_out', error: toError(cause, run) };
  }
  return undefined;
}

function toError(cause: Error, run: StartedRun): NonNullable<RunEvent['error']> {
  const failure = new WorkflowFailedError('failed', cause, RetryState.NON_RETRYABLE_FAILURE);
  const { code, message, details } = toRunError(failure, run) as HoldfastError;
  return { code, message, details };
}
