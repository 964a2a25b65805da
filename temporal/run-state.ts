import { WorkflowNotFoundError } from '@temporalio/common';
import { beforeDeadline } from './deadline';
import type { Engine } from './engine';

const DEADLINE_MS = 3_000;

/**
 * Whether a run goes on; `unknown` where there is none of this id, not yet or not any more.
 * @throws the client's error where the engine cannot be asked
 */
export async function runStateOf(
  engine: Engine,
  workflowId: string,
): Promise<'running' | 'over' | 'unknown'> {
  const { client, native } = engine.current();
  try {
    const { status } = await beforeDeadline(native, Date.now() + DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    return status.name === 'RUNNING' || status.name === 'PAUSED' ? 'running' : 'over';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
