import { z } from 'zod';
import { deadlineFields } from '../../src/contracts/http/approvals';
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
