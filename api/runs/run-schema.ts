import { z } from 'zod';

import { approvalSchema } from '../../src/contracts/http/approvals';
import { runErrorSchema, runStepSchema, stepsUsageSchema } from '../../src/contracts/http/run-events';

/** A run as the lookup answers it. */
export const runSchema = z.object({
  workflowId: z.string(),
  traceId: z.string(),
  runId: z.string().describe('The same as `traceId`'),
  type: z.string(),
  status: z
    .string()
    .describe(
      'running, waiting (for earlier turns of its session), paused, completed, failed, cancelled, terminated or timed_out. Where the run continued as new, status, end, ' +
        'result and error are those of the latest run of its chain',
    ),
  startedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
  result: z
    .unknown()
    .optional()
    .describe(
      'The `data` of the response that waits for the run, without credentials; for an import the numbers of its rows',
    ),
  error: runErrorSchema.optional(),
  steps: z
    .array(runStepSchema)
    .readonly()
    .optional()
    .describe('In the order in which they were scheduled; absent if the history cannot be read in time'),
  usage: stepsUsageSchema
    .optional()
    .describe(
      'The tokens of all steps together; with costs and numbers of calls for a run that keeps prices',
    ),
  approvals: z
    .array(approvalSchema)
    .readonly()
    .optional()
    .describe('The latest 100 that the run asked for, in their order; absent if it asked for none'),
});

export const traceIdParams = z.object({ traceId: z.uuid('must be a trace id') });

export const workflowIdSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(500, 'must have at most 500 characters');
