import { inputRequired, type ElicitRequest } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Approval } from '../../src/contracts/http/approvals';
import type { ApprovalAnswer, ApprovalQuestion } from '../../src/contracts/runs/approvals';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import { MAX_COMMENT_LENGTH } from '../approvals/approval-requests';
import { showArguments } from './shown-arguments';

const formSchema = z.object({
  confirm: z.boolean(),
  comment: z.string().max(MAX_COMMENT_LENGTH).optional(),
  limit: z.number().optional(),
});
const responseSchema = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
});

/**
 * Builds the form in which a client's user answers an approval. Pure.
 * @param problem why the last answer was not possible
 */
export function toForm({ kind, toolName, message, args }: Approval, problem?: string): ElicitRequest {
  const what = toolName === undefined ? 'A step of the run' : `A call of ${toolName}`;
  const question = `${message ?? `${what} waits for an approval`}:\n${showArguments(args)}`;
  return inputRequired.elicit({
    mode: 'form',
    message: problem === undefined ? question : `${problem}\n${question}`,
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: { type: 'boolean', title: 'Approve', description: 'False denies it' },
        ...(kind === 'budget'
          ? { limit: { type: 'number' as const, title: 'The new limit', description: 'Needed to approve' } }
          : { comment: { type: 'string' as const, title: 'Comment', maxLength: MAX_COMMENT_LENGTH } }),
      },
      required: ['confirm'],
    },
  }) as ElicitRequest;
}

/**
 * Reads what the client's user says to an approval. Pure.
 * @returns undefined where the approval stays pending: the user closed the form, or it cannot be read
 */
export function readForm(
  { kind, args }: ApprovalQuestion,
  response: unknown,
  by: string | undefined,
): ApprovalAnswer | undefined {
  const read = responseSchema.safeParse(response);
  if (!read.success || read.data.action === 'cancel') return undefined;
  const who = by === undefined ? {} : { by };
  if (read.data.action === 'decline') return { decision: 'deny', ...who };
  const form = formSchema.safeParse(read.data.content);
  // The rest of an answer may be missing, but not whether it approves.
  if (!form.success) return undefined;
  const { confirm, comment = '', limit } = form.data;
  const said = comment.trim() === '' ? {} : { comment };
  if (!confirm) return { decision: 'deny', ...said, ...who };
  if (kind !== 'budget' || limit === undefined) return { decision: 'approve', ...said, ...who };
  return { decision: 'approve', budget: { [(args as ReachedLimit).limit]: limit }, ...said, ...who };
}
