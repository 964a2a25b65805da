import { isHoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { toApprovalId } from '../approval';
import { callEngine } from '../runs/call-engine';
import type { Engine } from '../engine';
import { readOpenApprovals } from '../runs/run-state';
import { DEADLINE_MS, findApproval } from './read-approval';

/**
 * Reads the ids of the approvals that an open run has asked for; empty if it waits for none.
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export async function readAskedApprovals(engine: Engine, workflowId: string): Promise<readonly string[]> {
  const workflowIds = await callEngine(engine, DEADLINE_MS, () => readOpenApprovals(engine, workflowId));
  return workflowIds.map(toApprovalId);
}

/**
 * Reads the approvals that an open run waits for; empty if it waits for none.
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export async function readPendingApprovals(
  engine: Engine,
  taskQueue: string,
  workflowId: string,
): Promise<readonly Approval[]> {
  const ids = await readAskedApprovals(engine, workflowId);
  const approvals = await Promise.all(
    ids.map((id) =>
      findApproval(engine, taskQueue, id).then(
        ({ approval }) => approval,
        (error: unknown) => {
          if (isHoldfastError(error) && error.code === 'APPROVAL_NOT_FOUND') return undefined;
          throw error;
        },
      ),
    ),
  );
  return approvals.filter((approval): approval is Approval => approval?.status === 'pending');
}
