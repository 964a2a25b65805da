import { z } from 'zod';
import {
  type PredefinedWorkflow,
  predefinedWorkflowSchema,
  workflowDetailSchema,
  workflowListItemSchema,
} from '../../src/contracts/http/workflows';
import type { JsonSchema } from '../../src/contracts/http/tools';
import { parametersOf } from '../../src/contracts/http/tool-schemas';
import type { TenantServices } from '../../src/tenants/tenants';
import { checkSchema } from '../../src/tools/check-schema';
import { readInputs } from '../../src/tools/parameters';
import { asStepProblem } from '../../src/workflow-definitions/problems';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';
import { requiredTools } from '../../src/workflow-definitions/fill-inputs';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { toWorkflowProblem } from './execution-routes';

const TAG = 'Workflows';
const byId = z.object({ id: z.string() });

/** The routes of predefined workflows: list, detail, store, remove. */
export function workflowRoutes(
  catalogue: WorkflowCatalogue,
  { argumentChecks, schemaChecks }: Pick<TenantServices, 'argumentChecks' | 'schemaChecks'>,
  builtinIds: ReadonlySet<string>,
): AnyRoute[] {
  const toDetail = (workflow: PredefinedWorkflow): z.input<typeof workflowDetailSchema> => ({
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    steps: workflow.steps.map((step) => ({
      ...step,
      name: step.name ?? step.id,
      description: step.description ?? '',
    })),
    estimatedTime: readEstimatedTime(workflow),
    requiredTools: requiredTools(workflow),
    ...showInputs(readInputs(workflow.inputs)),
    builtin: builtinIds.has(workflow.id),
  });

  return [
    defineRoute({
      method: 'get',
      path: '/api/workflow/workflows',
      ...documentedAs('listWorkflows'),
      access: 'read',
      tag: TAG,
      summary: 'All predefined workflows, by id',
      message: 'Workflows retrieved successfully',
      request: {},
      response: z.object({ workflows: z.array(workflowListItemSchema) }),
      handler: async () => ({
        workflows: (await catalogue.list()).map((workflow) => ({
          id: workflow.id,
          name: workflow.name,
          description: workflow.description,
          steps: workflow.steps,
          estimatedTime: readEstimatedTime(workflow),
        })),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/workflow/workflows/:id',
      ...documentedAs('getWorkflow'),
      access: 'read',
      tag: TAG,
      summary: 'One predefined workflow',
      message: 'Workflow retrieved successfully',
      request: { params: byId },
      response: workflowDetailSchema,
      handler: async ({ params }) => toDetail(await catalogue.get(params.id)),
    }),
    defineRoute({
      method: 'post',
      path: '/api/workflow/workflows',
      ...documentedAs('storeWorkflow'),
      access: 'tools',
      tag: TAG,
      summary: 'Store a workflow to be run by its id, or replace the workflow of the same id',
      description: 'Run it by `POST /api/workflow/execute-custom` with its `workflowId`.',
      status: 201,
      message: 'Workflow stored successfully',
      request: { body: predefinedWorkflowSchema },
      response: workflowDetailSchema,
      onInvalid: toWorkflowProblem,
      handler: async ({ body }, { owner, signal }) => {
        await asStepProblem(null, () =>
          checkSchema(schemaChecks.of(owner), body.id, readInputs(body.inputs), 'inputs', signal()),
        );
        await catalogue.put(body, { check: argumentChecks.of(owner), signal: signal() });
        return toDetail(body);
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/api/workflow/workflows/:id',
      ...documentedAs('removeWorkflow'),
      access: 'tools',
      tag: TAG,
      summary: 'Remove a stored workflow; runs in progress continue',
      message: 'Workflow removed successfully',
      request: { params: byId },
      response: byId,
      handler: async ({ params: { id } }) => {
        await catalogue.remove(id);
        return { id };
      },
    }),
  ];
}

/** The inputs by name, as far as a name, a type and a default say them, and their schema. */
function showInputs(
  inputSchema: JsonSchema,
): Pick<z.input<typeof workflowDetailSchema>, 'inputs' | 'inputSchema'> {
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, unknown>>;
  const inputs = Object.entries(parametersOf(inputSchema)).map(([name, { type, description, required }]) => {
    const value = (properties[name] as { default?: unknown }).default;
    const isAny = type === 'any';
    return [
      name,
      {
        description,
        required: required && value === undefined,
        ...(value === undefined ? {} : { default: value }),
        ...(isAny ? {} : { type }),
      },
    ];
  });
  return { inputs: Object.fromEntries(inputs) as object, inputSchema } as never;
}

function readEstimatedTime({ estimatedTime }: Pick<PredefinedWorkflow, 'estimatedTime'>): string {
  return estimatedTime ?? 'unknown';
}
