import { WorkflowNotFoundError } from '@temporalio/common';
import { beforeDeadline } from './deadline';
import type { EngineConnection } from './engine';
import type { StartedRun } from './started-run';

const END_LIMIT_MS = 5_000;

/** Stands as the reason of the termination in the run's history; the API recognises the run by it. */
export const HARMFUL_RUN_REASON =
  'The run was ended because its workflow code ended or stalled its worker twice';

/**
 * Terminates a run whose own code cannot be let run any more.
 * @returns false where it is over already
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
