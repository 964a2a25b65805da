import { z } from 'zod';
import { budgetLimitsSchema } from './budgets';

/** What happens to a call for which no answer came by its deadline. */
export const ON_DEADLINE = ['deny', 'approve', 'fail'] as const;
export type OnDeadline = (typeof ON_DEADLINE)[number];

/** What happens to the run of a call that a person denied. */
export const ON_DENIED = ['fail', 'continue'] as const;
export type OnDenied = (typeof ON_DENIED)[number];

/** How long an approval may be waited for, milliseconds: a second to 30 days. */
export const MIN_DEADLINE_MS = 1_000;
export const MAX_DEADLINE_MS = 2_592_000_000;
export const deadlineFields = {
  deadlineMs: z
    .int()
    .min(MIN_DEADLINE_MS, `must be at least ${MIN_DEADLINE_MS}`)
    .max(MAX_DEADLINE_MS, `must be at most ${MAX_DEADLINE_MS}`)
    .optional()
    .describe('How long a call waits, milliseconds; default APPROVAL_DEADLINE_MS'),
  onDeadline: z.enum(ON_DEADLINE).optional().describe('What happens without an answer; default deny'),
};

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What a run waits for, and how it was answered. */
export const approvalSchema = z.object({
  id: z.string(),
  kind: z
    .enum(['tool', 'step', 'budget', 'output'])
    .describe(
      '`step`: a step of a workflow that has `approval`; `budget`: a run that has used up a limit; `output`: a call of a tool that the caller runs',
    ),
  status: z.enum(APPROVAL_STATUSES).describe('`expired`: the deadline passed, or the run ended first'),
  runId: z.string().describe('The run that waits'),
  step: z.string().describe('The call within the run'),
  toolName: z.string().optional().describe('Absent for a step that asks a model, and for a budget'),
  message: z.string().optional().describe('That of the step; for a budget, which limit was reached'),
  args: z
    .unknown()
    .describe(
      'The arguments with which the call is made, `prompt` and `system` of a step that asks a model, `{ limit, limits, usage }` of a budget; a note of their length if they are long',
    ),
  proposedArgs: z
    .unknown()
    .optional()
    .describe(
      'Once the approval of a call has ended: the arguments that were proposed, which are `args` unless the answer changed them',
    ),
  requestedAt: z.string(),
  deadline: z.string(),
  onDeadline: z.enum(ON_DEADLINE).describe('What happens without an answer'),
  decision: z.enum(['approve', 'deny']).optional().describe('Absent while it is pending'),
  budget: budgetLimitsSchema.optional().describe('The limits that the answer raised'),
  comment: z.string().optional(),
  by: z.string().optional().describe('Who answered'),
  answeredAt: z.string().optional().describe('Absent while it is pending, and if no answer came'),
});
export type Approval = Readonly<z.infer<typeof approvalSchema>>;
