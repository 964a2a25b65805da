import type { Approval } from '../src/contracts/http/approvals';
import { fitDetail } from '../src/contracts/json';
import type { ApprovalOutcome, ApprovalQuestion } from '../src/contracts/runs/approvals';

/** Builds what callers see of an approval. Pure. @param outcome undefined while it is pending */
export function toApproval(
  workflowId: string,
  question: ApprovalQuestion,
  outcome: Partial<ApprovalOutcome> | undefined,
): Approval {
  const { inputSchema: _, parameters: __, ...rest } = question;
  const args = rest.kind === 'output' ? fitDetail(rest.args) : rest.args;
  const pending = { id: toApprovalId(workflowId), ...rest, args, status: 'pending' } as const;
  return outcome === undefined ? pending : withOutcome(pending, outcome);
}

/**
 * Adds to an approval how it ended. The arguments of the answer are those of the call from then on, and the proposed ones
 * stay beside them. A budget has none. Pure.
 */
export function withOutcome(
  approval: Approval,
  { args, output: _, outputDigest: __, ...outcome }: Partial<ApprovalOutcome>,
): Approval {
  return {
    ...approval,
    ...outcome,
    proposedArgs: approval.kind === 'budget' ? undefined : approval.args,
    ...(args === undefined ? {} : { args: fitDetail(args) }),
  };
}

/** The id of an approval is its workflow id, in characters that a path may have. Pure. */
export function toApprovalId(workflowId: string): string {
  return Buffer.from(workflowId).toString('base64url');
}

/** Reads the workflow id of an approval from its id; any text gives some workflow id. Pure. */
export function toWorkflowId(approvalId: string): string {
  return Buffer.from(approvalId, 'base64url').toString();
}
