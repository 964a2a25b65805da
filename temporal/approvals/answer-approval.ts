import { isDeepStrictEqual } from 'node:util';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { HoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { ANSWER_UPDATE, type ApprovalAnswer, type ApprovalOutcome } from '../../src/contracts/runs/approvals';
import type { Engine } from '../engine';
import { toApproval } from '../approval';
import { callEngine } from '../runs/call-engine';
import { DEADLINE_MS, findApproval, type FoundApproval } from './read-approval';

/**
 * Answers an approval. The first answer counts; the same answer again changes nothing and has the same response.
 * @returns the approval with the answer, once the engine has accepted it
 * @throws HoldfastError `APPROVAL_ANSWERED` after another answer; `APPROVAL_EXPIRED` after the deadline or the end of
 * the run; `ENGINE_UNAVAILABLE`, also if no worker takes the answer in time: it may be accepted nevertheless, and a
 * repeat finds out
 */
export async function answerApproval(
  engine: Engine,
  taskQueue: string,
  foundApproval: FoundApproval,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const { workflowId, question, approval } = foundApproval;
  if (approval.status !== 'pending') return compare(foundApproval, answer);
  try {
    const outcome = await callEngine(engine, DEADLINE_MS, ({ client }) =>
      client.workflow
        .getHandle(workflowId)
        .executeUpdate<ApprovalOutcome, [ApprovalAnswer]>(ANSWER_UPDATE, { args: [answer] }),
    );
    const { output: _, ...known } = outcome;
    return toApproval(workflowId, question, known);
  } catch (error) {
    // It has ended since it was looked up, by the deadline, by another answer or with its run.
    if (!(error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError)) throw error;
    return compare(await findApproval(engine, taskQueue, approval.id), answer);
  }
}

/** @throws HoldfastError `APPROVAL_ANSWERED` or `APPROVAL_EXPIRED` for an approval that takes no answer any more */
export function checkPending(approval: Approval): void {
  if (approval.status !== 'pending') throw endedError(approval);
}

/** @returns an approval that has ended with this answer */
function compare({ approval, outcome }: FoundApproval, answer: ApprovalAnswer): Approval {
  const isAnswered = approval.status === 'approved' || approval.status === 'denied';
  if (isAnswered && isDeepStrictEqual(partsOf(answer), partsOf(outcome ?? {}))) return approval;
  throw endedError(approval);
}

function endedError({ id, status, by, answeredAt }: Approval): HoldfastError {
  if (status === 'pending' || status === 'expired') {
    const message = 'The deadline of the approval has passed, or its run has ended';
    return new HoldfastError('APPROVAL_EXPIRED', message, { details: { id, status } });
  }
  return new HoldfastError('APPROVAL_ANSWERED', `The approval was answered already: ${status}`, {
    details: { id, status, by, answeredAt },
  });
}

/** What a person says, which is all that two answers are compared by. */
function partsOf({
  decision,
  args,
  budget,
  comment,
  outputDigest,
  by,
}: Partial<ApprovalAnswer>): Partial<ApprovalAnswer> {
  return { decision, args, budget, comment, outputDigest, by };
}
