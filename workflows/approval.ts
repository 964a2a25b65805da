import { ApplicationFailure } from '@temporalio/common';
import { condition, defineUpdate, setHandler, upsertMemo } from '@temporalio/workflow';
import {
  ANSWER_UPDATE,
  type ApprovalAnswer,
  type ApprovalOutcome,
  type ApprovalQuestion,
  OUTCOME_MEMO,
} from '../src/contracts/runs/approvals';

const answerUpdate = defineUpdate<ApprovalOutcome, [ApprovalAnswer]>(ANSWER_UPDATE);

/**
 * Waits for one answer, or for the deadline. The first answer counts, and the update that brings it returns the outcome;
 * updates that arrive later are rejected. Its memo has the question and then the outcome, so that lists need no more.
 */
export async function approval({ deadline, onDeadline }: ApprovalQuestion): Promise<ApprovalOutcome> {
  let outcome: ApprovalOutcome | undefined;
  setHandler(
    answerUpdate,
    (answer: ApprovalAnswer): ApprovalOutcome => {
      const answeredAt = new Date().toISOString();
      outcome = { ...answer, status: answer.decision === 'approve' ? 'approved' : 'denied', answeredAt };
      return outcome;
    },
    {
      validator(_answer: ApprovalAnswer): void {
        if (outcome === undefined) return;
        throw ApplicationFailure.nonRetryable('The approval has ended', 'APPROVAL_ANSWERED');
      },
    },
  );
  await condition(() => outcome !== undefined, Math.max(Date.parse(deadline) - Date.now(), 1));
  outcome ??= { status: 'expired', decision: onDeadline === 'approve' ? 'approve' : 'deny' };
  // A memo is listed with its run, so it has no output, which may be long.
  const { output: _, ...known } = outcome;
  upsertMemo({ [OUTCOME_MEMO]: known });
  return outcome;
}
