import { TimeoutFailure } from '@temporalio/common';
import { type ActivityOptions, workflowInfo } from '@temporalio/workflow';
import { QUEUE_WORK, queueName, type StepQueue } from '../../src/contracts/queues';
import { causeOf } from './cause-of';

/** Sends a step to the task queue of its kind, which is named after the queue of the run. */
export function inQueue(kind: StepQueue): Pick<ActivityOptions, 'taskQueue'> {
  return { taskQueue: queueOf(kind) };
}

/** Why a step timed out before a worker took it. */
export interface NotTaken {
  readonly reason: string;
  readonly taskQueue: string;
}

/**
 * Explains the failure of a step that no worker took.
 * @param error the failure of a step in the queue of `kind`
 * @returns undefined if a worker had taken the step
 */
export function notTaken(error: unknown, kind: StepQueue): NotTaken | undefined {
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure) || cause.timeoutType !== 'SCHEDULE_TO_START') return undefined;
  const taskQueue = queueOf(kind);
  return { reason: `no worker took it from the task queue "${taskQueue}" (${QUEUE_WORK[kind]})`, taskQueue };
}

function queueOf(kind: StepQueue): string {
  return queueName(workflowInfo().taskQueue, kind);
}
