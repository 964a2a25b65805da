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

/** In the memo of a turn's run: when the place was taken that it was started with, epoch milliseconds. */
export const PLACE_MEMO = 'placedAt';

/**
 * Whether a run is open; `cut off` where it ended in the midst of its work, `unknown` where there is none of this id, not yet or
 * not any more.
 * @param placedAt distinguishes the open run of a turn that was started with this place from one that was started with another,
 * which is `unknown`. A run that has ended is never started again under its id, whichever place its request takes
 * @throws the client's error where the engine cannot be asked
 */
export async function runStateOf(
  engine: Pick<Engine, 'current'>,
  workflowId: string,
  placedAt?: number,
): Promise<'running' | 'over' | 'cut off' | 'unknown'> {
  const { client, native } = engine.current();
  try {
    const { status, memo } = await beforeDeadline(native, Date.now() + DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    if (!isOpen(status)) return CUT_OFF.has(status.name) ? 'cut off' : 'over';
    const place = memo?.[PLACE_MEMO];
    const isAnother = placedAt !== undefined && place !== undefined && place !== placedAt;
    return isAnother ? 'unknown' : 'running';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
