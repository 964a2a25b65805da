import { inputRequired, type ElicitRequest } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Approval } from '../../../src/contracts/http/approvals';
import type { ApprovalAnswer, ApprovalQuestion } from '../../../src/contracts/runs/approvals';
import type { ReachedLimit } from '../../../src/contracts/runs/budgets';
import { MAX_COMMENT_LENGTH } from '../../../api/approvals/approval-requests';
import { cutText } from '../../../src/base/text/well-formed';

/** Characters of arguments that a form shows. */
const MAX_SHOWN = 2_000;
/** Characters of one argument, if all are too long. */
const MAX_OF_ONE = 200;

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
 * @returns undefined if the approval stays pending: the user closed the form, or it cannot be read
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
  const remark = comment.trim() === '' ? {} : { comment };
  if (!confirm) return { decision: 'deny', ...remark, ...who };
  if (kind !== 'budget' || limit === undefined) return { decision: 'approve', ...remark, ...who };
  return { decision: 'approve', budget: { [(args as ReachedLimit).limit]: limit }, ...remark, ...who };
}

/**
 * Writes the arguments of a call for a person who decides about it. If they are too long, each value is shortened by itself, so
 * that a long one does not hide the others, and the text says how much is not shown. Pure.
 */
export function showArguments(args: unknown): string {
  const whole = JSON.stringify(args, null, 2);
  if (whole.length <= MAX_SHOWN || typeof args !== 'object' || args === null) return cut(whole, MAX_SHOWN);
  const lines = Object.entries(args).map(
    ([name, value]) => `${cut(JSON.stringify(name), MAX_OF_ONE)}: ${cut(JSON.stringify(value), MAX_OF_ONE)}`,
  );
  const shown: string[] = [];
  let left = MAX_SHOWN;
  for (const line of lines) {
    left -= line.length;
    if (left < 0) break;
    shown.push(line);
  }
  const hidden = lines.length - shown.length;
  return [...shown, ...(hidden === 0 ? [] : [`(${hidden} more arguments are not shown)`])].join('\n');
}

function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${cutText(text, max)} (${text.length - max} more characters are not shown)`;
}
