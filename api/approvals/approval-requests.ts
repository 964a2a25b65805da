import { z } from 'zod';
import { budgetLimitsSchema } from '../../src/contracts/http/budgets';
import { APPROVAL_STATUSES } from '../../src/contracts/http/approvals';
import { toolNameSchema } from '../../src/tools/registry-names';
import { nameSchema, jsonObjectSchema } from '../../src/contracts/http/text-schema';
import { limitFilter, START_OF_DAY, timeFilter } from '../runs/list-requests';
import { NOT_BLANK } from '../../src/contracts/constants';

export const listApprovalsQuery = z.strictObject({
  status: z.enum(APPROVAL_STATUSES).optional(),
  runId: z.uuid('must be a trace id').optional(),
  userId: nameSchema.optional().describe('The user of a conversation turn'),
  toolName: toolNameSchema.optional(),
  since: timeFilter(START_OF_DAY, 'it was requested'),
  limit: limitFilter,
  cursor: z.string().max(2_000).optional().describe('`next` of the previous page'),
});

export const MAX_COMMENT_LENGTH = 1_000;

const text = (max: number) =>
  z.string().max(max, `must have at most ${max} characters`).regex(NOT_BLANK, 'must not be blank');

export const answerBody = z
  .strictObject({
    decision: z.enum(['approve', 'deny']),
    args: jsonObjectSchema
      .optional()
      .describe(
        'Replaces all arguments of the call; they pass the same checks as those of a request. `[hidden]` where it was shown stands for the original',
      ),
    patch: jsonObjectSchema
      .optional()
      .describe(
        'In place of `args`: a JSON Merge Patch (RFC 7386) of the proposed arguments. `null` removes a field, a list replaces the whole list. The result passes the checks of `args`',
      ),
    budget: budgetLimitsSchema
      .optional()
      .describe('For `kind: budget`: the limits that the run has from then on; those left out stay'),
    output: z
      .unknown()
      .optional()
      .describe('For `kind: output`, where it is required with `approve`: what the tool gave, as JSON'),
    comment: text(MAX_COMMENT_LENGTH)
      .optional()
      .describe('Shown to the caller, and to the model that planned the call'),
    by: text(200).optional().describe('Who answers'),
  })
  .refine(({ decision, args }) => decision === 'approve' || args === undefined, {
    path: ['args'],
    message: 'has no meaning if the call is denied',
  })
  .refine(({ decision, patch }) => decision === 'approve' || patch === undefined, {
    path: ['patch'],
    message: 'has no meaning if the call is denied',
  })
  .refine(({ decision, output }) => decision === 'approve' || output === undefined, {
    path: ['output'],
    message: 'has no meaning if the call is denied; a comment says what failed',
  })
  .refine(({ args, patch }) => args === undefined || patch === undefined, {
    path: ['patch'],
    message: 'cannot stand beside args; send one of the two',
  })
  .refine(({ decision, budget }) => decision === 'approve' || budget === undefined, {
    path: ['budget'],
    message: 'has no meaning if it is denied',
  });

export const approvalParams = z.object({ approvalId: z.string().min(1).max(2_000) });
