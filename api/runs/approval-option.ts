import { z } from 'zod';
import { deadlineFields, ON_DENIED } from '../../src/contracts/http/approvals';
import { toolNameSchema } from '../../src/tools/registry-names';

const MAX_NAMES = 100;

// A misspelt field is rejected, because without it calls would not wait.
const fields = z.strictObject({
  tools: z
    .union([z.array(toolNameSchema).min(1).max(MAX_NAMES), z.enum(['all', 'changing'])])
    .describe('The tools whose calls wait for a person: by name, all, or those that may change something'),
  ...deadlineFields,
});

/** The schema of `options.approval` of runs whose caller names the calls; a denied one fails them. */
export const approvalOption = fields.optional();

/** The schema of `options.approval` of runs whose planner chooses the calls. */
export const plannerApprovalOption = fields
  .extend({
    onDenied: z
      .enum(ON_DENIED)
      .optional()
      .describe(
        '`fail`: a denied call ends the run; default `continue`: the planner reads why it was denied',
      ),
  })
  .optional();

export type ApprovalOption = z.output<typeof plannerApprovalOption>;
