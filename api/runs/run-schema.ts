import { z } from 'zod';
import { approvalSchema } from '../../src/contracts/http/approvals';
import { runErrorSchema, runStepSchema, stepsUsageSchema } from '../../src/contracts/http/run-events';

/** The paths at which values are whole that a record has a note of. */
export const linksSchema = z
  .object({ input: z.string().optional(), output: z.string().optional() })
  .optional()
  .describe('Where the values are whole that were left out here because they are long');

/** The names by which a run is found. */
export const runNameSchema = z.object({ traceId: z.string(), workflowId: z.string() });

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
  rerunOf: runNameSchema.optional().describe('The run that this one runs again'),
  reused: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Of a rerun: the steps that did not run, as their results are those of `rerunOf`'),
  reruns: z
    .array(runNameSchema.extend({ status: z.string() }))
    .readonly()
    .optional()
    .describe(
      'The latest 20 runs that run this one again, about a second after they started; of a lookup by `traceId` alone',
    ),
  result: z
    .unknown()
    .optional()
    .describe(
      'The `data` of the response that waits for the run, without credentials; for an import the numbers of its rows',
    ),
  error: runErrorSchema.optional(),
  input: z
    .unknown()
    .optional()
    .describe(
      'What was asked, without credentials; a note of its length if it is long, and absent if it cannot be read in time',
    ),
  links: linksSchema,
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
