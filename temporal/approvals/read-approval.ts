import type { WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import { HoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import {
  APPROVAL_TYPE,
  type ApprovalOutcome,
  type ApprovalQuestion,
  OUTCOME_MEMO,
  QUESTION_MEMO,
} from '../../src/contracts/runs/approvals';
import { isRunOf, type RunOwner } from '../../src/contracts/runs/run-owner';
import { callEngine } from '../runs/call-engine';
import type { Engine } from '../engine';
import { isMissingRun } from '../runs/run-errors';
import { isOpen } from '../runs/run-state';
import { toApproval, toWorkflowId } from '../approval';

/** The limit of one call of the server about approvals, milliseconds. */
export const DEADLINE_MS = 3_000;

/** An approval with what an answer to it is checked against. */
export interface FoundApproval {
  readonly workflowId: string;
  readonly question: ApprovalQuestion;
  readonly approval: Approval;
  /** The answer as it was given; absent while it is pending. */
  readonly outcome?: ApprovalOutcome | undefined;
}

/**
 * Looks up an approval by its id.
 * @param owner whose approvals exist for the caller; absent if the caller has the right to this one already
 * @throws HoldfastError `APPROVAL_NOT_FOUND`, `ENGINE_UNAVAILABLE`
 */
export function findApproval(
  engine: Engine,
  taskQueue: string,
  id: string,
  owner?: RunOwner,
): Promise<FoundApproval> {
  return callEngine(engine, DEADLINE_MS, async ({ client }) => {
    const workflowId = toWorkflowId(id);
    const run = await client.workflow
      .getHandle(workflowId)
      .describe()
      .catch((error: unknown) => {
        if (isMissingRun(error)) return undefined;
        throw error;
      });
    // The workflow id of an approval begins with that of its run.
    const isOwn = owner === undefined || isRunOf(owner, workflowId);
    const isApproval = run?.type === APPROVAL_TYPE && run.taskQueue === taskQueue;
    const approval = isApproval && isOwn ? readApproval(run) : undefined;
    if (approval === undefined)
      throw new HoldfastError('APPROVAL_NOT_FOUND', `There is no approval with the id "${id}"`);
    return approval;
  });
}

/** Reads an approval from the memo of its run. @returns undefined for a run without a question */
export function readApproval({
  workflowId,
  memo,
  status,
}: Pick<WorkflowExecutionInfo | WorkflowExecutionDescription, 'workflowId' | 'memo' | 'status'>):
  FoundApproval | undefined {
  const question = memo?.[QUESTION_MEMO] as ApprovalQuestion | undefined;
  if (question === undefined) return undefined;
  const outcome = memo?.[OUTCOME_MEMO] as ApprovalOutcome | undefined;
  // An approval that was stopped with its run has no outcome.
  const ended = isOpen(status) ? undefined : (outcome ?? { status: 'expired' as const });
  return { workflowId, question, approval: toApproval(workflowId, question, ended), outcome };
}
