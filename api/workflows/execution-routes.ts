import { z } from 'zod';
import {
  customWorkflowResultSchema,
  dryRunResultSchema,
  plannerLoopResultSchema,
  workflowDefinitionSchema,
} from '../../src/contracts/http/workflows';
import type { HoldfastError } from '../../src/base/errors';
import { jsonObjectSchema } from '../../src/contracts/http/json-object';
import { workflowProblem } from '../../src/workflow-definitions/problems';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import type { CustomRuns } from './custom-runs';
import { plannerMessage } from '../runs/planner-message';
import type { PlannerRuns } from '../runs/planner-runs';
import { type QueryRequestLimits, queryRequestSchemas } from '../runs/query-requests';
import { timeoutOption } from '../runs/timeout-option';

const TAG = 'Workflows';

/**
 * Builds the schema of a request to run a workflow. It is strict, because a misspelt `dryRun` would run a workflow that
 * was only to be checked, and a misspelt `timeout` would limit nothing.
 */
function customRequestSchema(limits: QueryRequestLimits) {
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
          .strictObject({ timeout: timeoutOption(limits) })
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

export interface WorkflowRunRoutesPorts {
  readonly planned: PlannerRuns;
  readonly custom: CustomRuns;
  readonly limits: QueryRequestLimits;
}

/** The routes that run workflows: from a query in words, from a definition, or by the id of a stored workflow. */
export function workflowRunRoutes({ planned, custom, limits }: WorkflowRunRoutesPorts): AnyRoute[] {
  const requests = queryRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/workflow/execute',
      ...documentedAs('executeWorkflow'),
      access: 'run',
      tag: TAG,
      summary: 'Work towards a goal that a sentence states',
      description:
        'The run ends when the goal is reached, or after `maxIterations` iterations; the response says which.',
      message: (data) => plannerMessage(data, 'Workflow executed successfully'),
      startsRun: true,
      request: { body: requests.planned },
      response: plannerLoopResultSchema,
      handler: ({ body }, context) => planned.workflow(body, context),
    }),
    defineRoute({
      method: 'post',
      path: '/api/workflow/execute-custom',
      ...documentedAs('executeCustomWorkflow'),
      access: 'run',
      tag: TAG,
      summary: 'Run a workflow of typed steps',
      description:
        'Templates such as `{{input.name}}` and `{{stepId.result.items[0].id}}` refer to inputs and earlier steps. ' +
        'Everything that is known before the run is checked before any step runs.',
      message: ({ status }) =>
        status === 'valid' ? 'Workflow is valid' : 'Custom workflow executed successfully',
      startsRun: true,
      request: { body: customRequestSchema(limits) },
      response: z.union([customWorkflowResultSchema, dryRunResultSchema]),
      onInvalid: toWorkflowProblem,
      handler: ({ body }, context) => {
        // The schema accepts exactly one of the two.
        const request = {
          workflow: body.workflow ?? (body.workflowId as string),
          inputs: body.inputs,
          timeoutMs: body.options?.timeout,
        };
        return body.dryRun ? custom.dryRun(request, context) : custom.run(request, context);
      },
    }),
  ];
}

/**
 * Converts a validation error inside `workflow.steps[n]` to a problem of that step, named by its id if it has one.
 */
export function toWorkflowProblem(error: HoldfastError, body: unknown): HoldfastError {
  const { field = 'body' } = (error.details ?? {}) as { field?: string };
  const [, index, inner] = /^(?:workflow\.)?steps\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  if (index === undefined) return workflowProblem(null, field, error.message);
  const id = readStepId(body, Number(index));
  const name = inner === undefined || inner === '' ? field : inner;
  return workflowProblem(id, name, error.message.replace(field, name));
}

function readStepId(body: unknown, index: number): string {
  const holder = body as { workflow?: { steps?: unknown[] }; steps?: unknown[] } | null;
  const step = (holder?.workflow?.steps ?? holder?.steps)?.[index];
  const id = typeof step === 'object' && step !== null ? (step as { id?: unknown }).id : undefined;
  return typeof id === 'string' && id !== '' ? id.slice(0, 64) : `steps[${index}]`;
}
