import { TimeoutFailure } from '@temporalio/common';
import { type ActivityOptions, workflowInfo } from '@temporalio/workflow';
import { describeNotTaken, type NotTaken, queueName, type StepQueue } from '../../src/contracts/queues';
import { causeOf } from './cause-of';

/** Sends a step to the task queue of its kind, which is named after the queue of the run. */
export function inQueue(kind: StepQueue): Pick<ActivityOptions, 'taskQueue'> {
  return { taskQueue: queueName(workflowInfo().taskQueue, kind) };
}

/**
 * Explains the failure of a step that no worker took.
 * @param error the failure of a step in the queue of `kind`
 * @returns undefined if a worker had taken the step
 */
export function notTaken(error: unknown, kind: StepQueue): NotTaken | undefined {
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure) || cause.timeoutType !== 'SCHEDULE_TO_START') return undefined;
  return describeNotTaken(workflowInfo().taskQueue, kind);
}
