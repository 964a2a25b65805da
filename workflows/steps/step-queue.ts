import { TimeoutFailure } from '@temporalio/common';
import type { ActivityOptions } from '@temporalio/workflow';
import { workflowInfo } from '@temporalio/workflow';
import type { StepQueue } from '../../src/contracts/queues';
import { QUEUE_WORK, queueName } from '../../src/contracts/queues';
import { causeOf } from './cause-of';

/** Lets a step wait in the queue of its kind, beside the one that the run is in. */
export function inQueue(kind: StepQueue): Pick<ActivityOptions, 'taskQueue'> {
  return { taskQueue: queueOf(kind) };
}

/** Why the time of a step was over before it began. */
export interface NotTaken {
  readonly reason: string;
  readonly taskQueue: string;
}

/** @param error what a step in the queue of `kind` failed with; undefined where a worker had taken it */
export function notTaken(error: unknown, kind: StepQueue): NotTaken | undefined {
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure) || cause.timeoutType !== 'SCHEDULE_TO_START') return undefined;
  const taskQueue = queueOf(kind);
  return { reason: `no worker took it from the task queue "${taskQueue}" (${QUEUE_WORK[kind]})`, taskQueue };
}

function queueOf(kind: StepQueue): string {
  return queueName(workflowInfo().taskQueue, kind);
}
