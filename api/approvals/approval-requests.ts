import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { budgetLimitsSchema } from '../../src/contracts/http/budgets';
import { APPROVAL_STATUSES } from '../../src/contracts/http/approvals';
import { NOT_BLANK } from '../../src/contracts/not-blank';
import { toolNameSchema } from '../../src/tools/registry-names';
import { nameSchema } from '../http/text-schema';
import { limitFilter, START_OF_DAY, timeFilter } from '../runs/list-requests';

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
    args: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Replaces all arguments of the call; they pass the same checks as those of a request'),
    budget: budgetLimitsSchema
      .optional()
      .describe('For `kind: budget`: the limits that the run has from then on; those left out stay'),
    comment: text(MAX_COMMENT_LENGTH)
      .optional()
      .describe('Shown to the caller, and to the model that planned the call'),
    by: text(200).optional().describe('Who answers'),
  })
  .refine(({ decision, args }) => decision === 'approve' || args === undefined, {
    path: ['args'],
    message: 'has no meaning where the call is denied',
  })
  .refine(({ decision, budget }) => decision === 'approve' || budget === undefined, {
    path: ['budget'],
    message: 'has no meaning where it is denied',
  });

export const approvalParams = z.object({ approvalId: z.string().min(1).max(2_000) });

export function encodeToken(token: Uint8Array): string {
  return Buffer.from(token).toString('base64url');
}

/** @throws HoldfastError `VALIDATION` for a text that cannot be a cursor */
export function decodeToken(cursor: string): Uint8Array {
  const token = Buffer.from(cursor, 'base64url');
  if (token.length === 0) throw validationError('cursor', 'cursor is not one of a page');
  return token;
}
