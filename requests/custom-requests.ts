import { z } from 'zod';
import { jsonObjectSchema } from '../src/contracts/http/text-schema';
import { workflowDefinitionSchema } from '../src/contracts/http/workflows';
import type { CustomRunRequest } from './custom-runs';
import type { QueryRequestLimits } from './planner-runs';
import { timeoutOption, webhookOption } from './run-options';

/**
 * Builds the schema of a request to run a workflow. It is strict, because a misspelt `dryRun` would run a workflow that
 * was only to be checked, and a misspelt `timeout` would limit nothing.
 */
export function customRequestSchema(limits: QueryRequestLimits) {
  return (
    z
      .strictObject({
        workflow: workflowDefinitionSchema
          .optional()
          .describe('The workflow to run; workflowId names a stored one instead'),
        workflowId: z
          .string()
          .min(1, 'must not be empty')
          .max(64)
          .optional()
          .describe('Id of a predefined workflow'),
        inputs: jsonObjectSchema.default({}),
        options: z
          .strictObject({ timeout: timeoutOption(limits), webhook: webhookOption })
          .optional()
          .describe('Options of the run; a step that sets its own `timeout` keeps it'),
        dryRun: z
          .boolean()
          .default(false)
          .describe('Only check the workflow and fill in its inputs, without running it'),
      })
      .superRefine(({ workflow, workflowId }, context) => {
        if (workflow === undefined && workflowId === undefined) {
          context.addIssue({ code: 'custom', path: ['workflow'], message: 'workflow is required' });
        } else if (workflow !== undefined && workflowId !== undefined) {
          const message = 'cannot be given together with workflow';
          context.addIssue({ code: 'custom', path: ['workflowId'], message });
        }
      })
      // The refinement, expressed in JSON Schema.
      .meta({ oneOf: [{ required: ['workflow'] }, { required: ['workflowId'] }] })
  );
}

export type CustomRequest = z.output<ReturnType<typeof customRequestSchema>>;

/** The run that a body asks for. The schema accepts either a definition or the id of a stored one. */
export function toCustomRun({ workflow, workflowId, inputs, options }: CustomRequest): CustomRunRequest {
  return { workflow: workflow ?? (workflowId as string), inputs, timeoutMs: options?.timeout };
}
