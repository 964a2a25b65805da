import { z } from 'zod';
import {
  customWorkflowResultSchema,
  dryRunResultSchema,
  plannerLoopResultSchema,
} from '../../src/contracts/http/workflows';
import type { HoldfastError } from '../../src/base/errors';
import { workflowProblem } from '../../src/workflow-definitions/problems';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import type { CustomRuns } from '../../requests/custom-runs';
import {
  type PlannerRuns,
  plannerMessage,
  type QueryRequestLimits,
  queryRequestSchemas,
} from '../../requests/planner-runs';
import { customRequestSchema, toCustomRun } from '../../requests/custom-requests';

const TAG = 'Workflows';
/** The path at which a definition is run. */
export const CUSTOM_PATH = '/api/workflow/execute-custom';

/** What the routes that run workflows need of the caller's tenant. */
export interface WorkflowRunServices {
  readonly runs: { readonly planned: PlannerRuns; readonly custom: CustomRuns };
}

const { defineRoute } = routesWith<WorkflowRunServices>();

/** The routes that run workflows: from a query in words, from a definition, or by the id of a stored workflow. */
export function workflowRunRoutes(limits: QueryRequestLimits): AnyRoute<WorkflowRunServices>[] {
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
      handler: ({ body }, context) => context.services.runs.planned.workflow(body, context),
    }),
    defineRoute({
      method: 'post',
      path: CUSTOM_PATH,
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
        const request = toCustomRun(body);
        const { custom } = context.services.runs;
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
