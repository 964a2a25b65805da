import { WorkflowNotFoundError } from '@temporalio/common';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { APPROVAL_TYPE } from '../../src/contracts/runs/approvals';
import { beforeDeadline } from '../deadline';
import type { Engine } from '../engine';

const DEADLINE_MS = 3_000;

/** Whether a run with this status is open. Pure. */
export function isOpen({ name }: { readonly name: string }): boolean {
  return name === 'RUNNING' || name === 'PAUSED';
}

type RunState = 'running' | 'over' | 'cut off' | 'unknown';

/** Statuses of runs that did not end by their own code. */
const CUT_OFF = new Set(['TERMINATED', 'TIMED_OUT']);

/** The memo field of a turn's run that holds when its place in the session was taken, epoch milliseconds. */
export const PLACE_MEMO = 'placedAt';

/**
 * Reads whether a run is open. The state is `cut off` if the run ended before its code did, and `unknown` if no
 * run has this id, because it was not started yet or has been deleted.
 * @param placedAt limits the open run to one that was started with this place; one with another place is `unknown`.
 * An id is not used again after its run has ended, so the place does not matter there
 * @throws the client's error if the engine cannot be asked
 */
export async function readRunState(
  engine: Pick<Engine, 'current'>,
  workflowId: string,
  placedAt?: number,
): Promise<RunState> {
  const run = await describeRun(engine, workflowId);
  return run === undefined ? 'unknown' : stateOf(run, placedAt);
}

/**
 * Reads how a run has ended, for readers who wait for its completion; undefined if it is open. A run that is not known is one
 * that has failed.
 * @throws as `readRunState`
 */
export async function readRunEnd(
  engine: Pick<Engine, 'current'>,
  workflowId: string,
): Promise<'cancelled' | 'failed' | undefined> {
  const run = await describeRun(engine, workflowId);
  if (run !== undefined && isOpen(run.status)) return undefined;
  return run?.status.name === 'CANCELLED' ? 'cancelled' : 'failed';
}

/** As `readRunState`; `paused` for a run that is open and waits for a person. */
export async function readTurnState(
  engine: Pick<Engine, 'current'>,
  workflowId: string,
  placedAt: number,
): Promise<RunState | 'paused'> {
  const run = await describeRun(engine, workflowId);
  if (run === undefined) return 'unknown';
  const state = stateOf(run, placedAt);
  return state === 'running' && openApprovals(run).length > 0 ? 'paused' : state;
}

/**
 * Reads the workflow ids of the approvals that a run waits for.
 * @throws the client's error if the engine cannot be asked
 */
export async function readOpenApprovals(
  engine: Pick<Engine, 'current'>,
  workflowId: string,
): Promise<readonly string[]> {
  const run = await describeRun(engine, workflowId);
  return run === undefined ? [] : openApprovals(run);
}

function stateOf({ status, memo }: WorkflowExecutionDescription, placedAt: number | undefined): RunState {
  if (!isOpen(status)) return CUT_OFF.has(status.name) ? 'cut off' : 'over';
  const place = memo?.[PLACE_MEMO];
  const isAnother = placedAt !== undefined && place !== undefined && place !== placedAt;
  return isAnother ? 'unknown' : 'running';
}

function openApprovals({ raw }: WorkflowExecutionDescription): string[] {
  const children = raw.pendingChildren ?? [];
  return children.flatMap(({ workflowTypeName, workflowId }) =>
    workflowTypeName === APPROVAL_TYPE && workflowId ? [workflowId] : [],
  );
}

/** @returns undefined if no run has this id */
async function describeRun(
  engine: Pick<Engine, 'current'>,
  workflowId: string,
): Promise<WorkflowExecutionDescription | undefined> {
  const { client, native } = engine.current();
  try {
    return await beforeDeadline(native, Date.now() + DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
