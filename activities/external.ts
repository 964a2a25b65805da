import { toolError } from '../src/base/errors';
import type { ExternalImplementation } from '../src/contracts/http/tools';

export interface ExternalActivitiesPorts {
  /** Whether the tenant may name a task queue (EXTERNAL_QUEUES). */
  readonly isAllowed: (taskQueue: string) => boolean;
  /** How many workers poll a task queue for activities or for workflows. */
  readonly countPollers: (question: PolledQueue) => Promise<number>;
}

export type PolledQueue = Pick<ExternalImplementation, 'taskQueue' | 'as'>;

/** The service's own part of a call of a tool of another worker. */
export interface ExternalActivities {
  /** @throws HoldfastError `TOOL_EXECUTION_FAILED` if the settings do not allow the queue (any more) */
  admitQueue(taskQueue: string): Promise<void>;
  countPollers(question: PolledQueue): Promise<number>;
}

export function createExternalActivities({
  isAllowed,
  countPollers,
}: ExternalActivitiesPorts): ExternalActivities {
  return {
    admitQueue(taskQueue) {
      if (isAllowed(taskQueue)) return Promise.resolve();
      return Promise.reject(toolError(`EXTERNAL_QUEUES does not have the task queue "${taskQueue}"`));
    },
    countPollers,
  };
}
