import { temporal } from '@temporalio/proto';
import type { EngineConnection } from './engine';
import { isFresh, toPoller } from './pollers';
import { serverClock } from './server-clock';

const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = temporal.api.enums.v1.TaskQueueType;

/** Counts the workers that poll a task queue of any service for activities or for workflows. @throws the client's error */
export async function countPollers(
  { native, namespace }: Pick<EngineConnection, 'native' | 'namespace'>,
  { taskQueue, as }: { readonly taskQueue: string; readonly as: 'activity' | 'workflow' },
): Promise<number> {
  const { pollers } = await native.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: as === 'workflow' ? TASK_QUEUE_TYPE_WORKFLOW : TASK_QUEUE_TYPE_ACTIVITY,
  });
  const now = serverClock.now();
  return pollers.map(toPoller).filter(({ lastPoll }) => isFresh(lastPoll, now)).length;
}

/** Counts the workers that poll each task queue. @throws as `countPollers` does */
export function pollsOfQueues(
  connection: Parameters<typeof countPollers>[0],
  taskQueues: readonly string[],
): Promise<{ taskQueue: string; activityPollers: number; workflowPollers: number }[]> {
  return Promise.all(
    taskQueues.map(async (taskQueue) => {
      const [activityPollers, workflowPollers] = await Promise.all([
        countPollers(connection, { taskQueue, as: 'activity' }),
        countPollers(connection, { taskQueue, as: 'workflow' }),
      ]);
      return { taskQueue, activityPollers, workflowPollers };
    }),
  );
}
