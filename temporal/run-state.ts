import { WorkflowNotFoundError } from '@temporalio/common';
import { beforeDeadline } from './deadline';
import type { Engine } from './engine';

const DEADLINE_MS = 3_000;

/** Whether a run of this status goes on. Pure. */
export function isOpen({ name }: { readonly name: string }): boolean {
  return name === 'RUNNING' || name === 'PAUSED';
}

/** Ends that a run's own code has no part in. */
const CUT_OFF = new Set(['TERMINATED', 'TIMED_OUT']);

/**
 * Whether a run goes on; `cut off` where it ended in the midst of its work, `unknown` where there is none of this id, not yet or
 * not any more.
 * @throws the client's error where the engine cannot be asked
 */
export async function runStateOf(
  engine: Pick<Engine, 'current'>,
  workflowId: string,
): Promise<'running' | 'over' | 'cut off' | 'unknown'> {
  const { client, native } = engine.current();
  try {
    const { status } = await beforeDeadline(native, Date.now() + DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    if (isOpen(status)) return 'running';
    return CUT_OFF.has(status.name) ? 'cut off' : 'over';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
