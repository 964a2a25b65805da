import { z } from 'zod';
import { deadlineFields } from '../../src/contracts/http/approvals';
import type { ApprovalPolicy } from '../../src/contracts/runs/approvals';
import { needsApproval } from '../../src/contracts/runs/approval-needs';
import type { ToolCall } from '../../src/contracts/runs/tools';
import type { Config } from '../../src/settings/config';
import { toolNameSchema } from '../../src/tools/registry-names';

const MAX_NAMES = 100;

/** The schema of `options.approval`. A misspelt field is rejected, because without it calls would not wait. */
export const approvalOption = z
  .strictObject({
    tools: z
      .union([z.array(toolNameSchema).min(1).max(MAX_NAMES), z.enum(['all', 'changing'])])
      .describe('The tools whose calls wait for a person: by name, all, or those that may change something'),
    ...deadlineFields,
  })
  .optional();

export type ApprovalOption = z.output<typeof approvalOption>;
export type ApprovalSettings = Pick<Config, 'APPROVAL_DEADLINE_MS'>;

/** Builds the policy of a run in which calls may need an approval. Pure. */
export function buildPolicy(
  { APPROVAL_DEADLINE_MS }: ApprovalSettings,
  option: ApprovalOption,
  isListed: boolean,
): ApprovalPolicy {
  const { tools = [], deadlineMs = APPROVAL_DEADLINE_MS, onDeadline = 'deny' } = option ?? {};
  return { tools, deadlineMs, onDeadline, isListed };
}

/**
 * Builds the policy of a run whose calls are known. Pure.
 * @param isListed whether the server has the search attribute by which a run that waits is listed
 * @returns undefined where no call can need an approval
 */
export function policyForCalls(
  settings: ApprovalSettings,
  option: ApprovalOption,
  calls: readonly ToolCall[],
  isListed: boolean,
): ApprovalPolicy | undefined {
  const policy = buildPolicy(settings, option, isListed);
  // Templates are not resolved yet. A method that is a template counts as one that changes something.
  return calls.some((call) => needsApproval(call, policy)) ? policy : undefined;
}
