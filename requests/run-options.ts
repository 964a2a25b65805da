import { z } from 'zod';
import { deadlineFields, ON_DENIED } from '../src/contracts/http/approvals';
import { toolNameSchema } from '../src/tools/registry-names';
import { budgetLimitsSchema, ON_EXCEEDED } from '../src/contracts/http/budgets';
import { RUN_EVENTS } from '../src/contracts/http/run-events';
import { webhookSecretSchema, webhookUrlSchema } from '../src/contracts/http/webhooks';
import type { Config } from '../src/settings/config';

/** The schema of `options.onWaiting`. */
export const waitingOption = z
  .enum(['reject', 'queue'])
  .optional()
  .describe(
    'What happens while the turn before waits for a person: a 409 (the default), or waiting behind it',
  );

const ON_EXCEEDED_TEXT =
  'At a limit: `fail` ends the run, `pause` asks a person for more, `finish` asks the model for a last answer without ' +
  'tools; default BUDGET_ON_EXCEEDED';
/** The schema of `options.budget`. A misspelt field is rejected, because without it the run would have no limit. */
export const budgetOption = budgetLimitsSchema
  .extend({ onExceeded: z.enum(ON_EXCEEDED).optional().describe(ON_EXCEEDED_TEXT) })
  .optional();
/** That of runs that make one plan, whose model has nothing to answer from without its tool. */
export const singlePlanBudgetOption = budgetLimitsSchema
  .extend({ onExceeded: z.enum(ON_EXCEEDED).exclude(['finish']).optional().describe(ON_EXCEEDED_TEXT) })
  .optional();

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

export type BudgetOption = z.output<typeof budgetOption>;

/** The schema of `options.webhook`. */
export const webhookOption = z
  .strictObject({
    url: webhookUrlSchema,
    events: z
      .array(z.enum(RUN_EVENTS))
      .min(1, 'must name at least one event')
      .max(RUN_EVENTS.length)
      .optional()
      .describe('Default: the end of the run, however it ends'),
    secret: webhookSecretSchema
      .optional()
      .describe(
        '`whsec_` and base64, which signs the messages; two with a space between while it is changed',
      ),
  })
  .optional()
  .describe('Where the run is reported to, in place of WEBHOOK_URL');

export type WebhookOption = z.output<typeof webhookOption>;

/** Builds the schema of `options.timeout`. The message of its maximum names the setting. */
export function timeoutOption({ TOOL_TIMEOUT_MS }: Pick<Config, 'TOOL_TIMEOUT_MS'>) {
  return z
    .number()
    .int()
    .min(1)
    .max(TOOL_TIMEOUT_MS, `must be at most ${TOOL_TIMEOUT_MS} ms (TOOL_TIMEOUT_MS)`)
    .optional()
    .describe('Limit of each tool call, milliseconds');
}

export type WaitingOption = z.output<typeof waitingOption>;
