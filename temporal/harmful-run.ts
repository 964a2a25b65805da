import { WorkflowNotFoundError } from '@temporalio/common';
import { beforeDeadline } from './deadline';
import type { EngineConnection } from './engine';
import { testGrpcStatus } from './grpc-status';
import type { StartedRun } from './started-run';

const LIMIT_MS = 5_000;
/** The gRPC status of a run that the server does not know. */
const NOT_FOUND = 5;
/** The last completed task is among the latest events, unless many signals came after it. */
const PAGE_EVENTS = 100;

/** The reason of the termination in the run's history, by which the API recognises such a run. */
export const HARMFUL_RUN_REASON =
  'The run was ended because its workflow code ended or stalled its worker twice';

/**
 * Terminates a run whose workflow code has ended or stalled its worker.
 * @returns false where the run has already ended
 * @throws the client's error where the server cannot be asked
 */
export async function endHarmfulRun(
  { client, native }: Pick<EngineConnection, 'client' | 'native'>,
  { workflowId, runId }: StartedRun,
): Promise<boolean> {
  try {
    await beforeDeadline(native, Date.now() + LIMIT_MS, () =>
      client.workflow.getHandle(workflowId, runId).terminate(HARMFUL_RUN_REASON),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Names the workflow task that a run has open or gets next, by the last one that it completed. The attempts at a task
 * have the same name.
 * @returns undefined where the run has ended and its history is gone
 * @throws the client's error where the server cannot be asked
 */
export async function readOpenTask(
  { client, namespace, native }: Pick<EngineConnection, 'client' | 'namespace' | 'native'>,
  { workflowId, runId }: StartedRun,
): Promise<string | undefined> {
  const execution = { workflowId, runId };
  let nextPageToken: Uint8Array = new Uint8Array();
  try {
    do {
      const request = { namespace, execution, maximumPageSize: PAGE_EVENTS, nextPageToken };
      const page = await beforeDeadline(native, Date.now() + LIMIT_MS, () =>
        client.workflowService.getWorkflowExecutionHistoryReverse(request),
      );
      const completed = page.history?.events?.find(
        (event) => event.workflowTaskCompletedEventAttributes != null,
      );
      if (completed) return `after ${String(completed.eventId)}`;
      ({ nextPageToken } = page);
    } while (nextPageToken.length > 0);
    return 'the first';
  } catch (error) {
    if (testGrpcStatus(error, (code) => code === NOT_FOUND)) return undefined;
    throw error;
  }
}
