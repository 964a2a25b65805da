import { WorkflowNotFoundError } from '@temporalio/common';
import { beforeDeadline } from './deadline';
import type { EngineConnection } from './engine';
import type { StartedRun } from './started-run';

const END_LIMIT_MS = 5_000;

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
    await beforeDeadline(native, Date.now() + END_LIMIT_MS, () =>
      client.workflow.getHandle(workflowId, runId).terminate(HARMFUL_RUN_REASON),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
