import { WorkflowNotFoundError } from '@temporalio/common';
import { beforeDeadline } from '../deadline';
import type { EngineConnection } from '../engine';
import { NOT_FOUND, testGrpcStatus } from '../grpc-status';
import { readLatestEvents } from './latest-events';
import { toMs } from '../proto-time';
import type { StartedRun } from './started-run';

const LIMIT_MS = 5_000;
/** The clocks of server and workers may differ by a second, and a note may be up to a second older than its process. */
const CLOCK_DIFFERENCE_MS = 2_000;

/** The reason of the termination in the run's history, by which the API recognises such a run. */
export const HARMFUL_RUN_REASON =
  'The run was ended because its workflow code ended or stalled its worker twice';

/** Begins the reason of the termination of a run whose history the workflow code cannot continue. */
export const UNFIT_RUN_REASON =
  'The run was ended because the workflow code of this build cannot continue it';

/**
 * Terminates a run whose workflow code has ended or stalled its worker, or cannot continue it.
 * @param reason is in the run's history, and in its record
 * @returns false if the run has already ended
 * @throws the client's error if the server cannot be asked
 */
export async function endHarmfulRun(
  { client, native }: Pick<EngineConnection, 'client' | 'native'>,
  { workflowId, runId }: StartedRun,
  reason: string,
): Promise<boolean> {
  try {
    await beforeDeadline(native, Date.now() + LIMIT_MS, () =>
      client.workflow.getHandle(workflowId, runId).terminate(reason),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Whether a run has a workflow task that is not completed, be it with a worker or not.
 * @throws the client's error if the server cannot be asked
 */
export async function hasOpenTask(
  { client, namespace, native }: Pick<EngineConnection, 'client' | 'namespace' | 'native'>,
  { workflowId, runId }: StartedRun,
): Promise<boolean> {
  const request = { namespace, execution: { workflowId, runId } };
  const { pendingWorkflowTask } = await beforeDeadline(native, Date.now() + LIMIT_MS, () =>
    client.workflowService.describeWorkflowExecution(request),
  );
  return pendingWorkflowTask != null;
}

/**
 * Names the workflow task that a run has open or gets next, by the last one that it completed. The attempts at a task
 * have the same name. A worker with a long local activity completes its task every few seconds only to get more time;
 * such a task is no progress, and does not count.
 *
 * @param diedAt when the worker died in a task, epoch ms; absent if it is in the task now
 * @returns undefined if the run has completed the task since then, or has ended and its history is gone
 * @throws the client's error if the server cannot be asked
 */
export async function readOpenTask(
  connection: Pick<EngineConnection, 'client' | 'namespace' | 'native'>,
  run: StartedRun,
  diedAt = Infinity,
): Promise<string | undefined> {
  let isFollowedByTask = false;
  try {
    for await (const events of readLatestEvents(connection, run, LIMIT_MS)) {
      for (const event of events) {
        if (event.workflowTaskCompletedEventAttributes != null && !isFollowedByTask) {
          const isLater = toMs(event.eventTime) > diedAt + CLOCK_DIFFERENCE_MS;
          return isLater ? undefined : `after ${String(event.eventId)}`;
        }
        isFollowedByTask = event.workflowTaskScheduledEventAttributes != null;
      }
    }
    return 'the first';
  } catch (error) {
    if (testGrpcStatus(error, (code) => code === NOT_FOUND)) return undefined;
    throw error;
  }
}
