import { z } from 'zod';
import {
  type PredefinedWorkflow,
  predefinedWorkflowSchema,
  workflowDetailSchema,
  workflowListItemSchema,
} from '../../src/contracts/http/workflows';
import type { JsonSchema } from '../../src/contracts/http/tools';
import { parametersOf } from '../../src/contracts/http/tool-schemas';
import type { SchemaChecks } from '../../src/sandbox/schema-checks';
import type { ArgumentChecks } from '../../src/tools/argument-check';
import { checkSchema } from '../../src/tools/check-schema';
import { readInputs } from '../../src/tools/parameters';
import { asStepProblem } from '../../src/workflow-definitions/problems';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';
import { requiredTools } from '../../src/workflow-definitions/fill-inputs';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { toWorkflowProblem } from './execution-routes';

/** What the routes of stored workflows need of the caller's tenant. */
export interface WorkflowServices {
  readonly catalogue: WorkflowCatalogue;
  readonly argumentChecks: ArgumentChecks;
  readonly schemaChecks: SchemaChecks;
}

const { defineRoute } = routesWith<WorkflowServices>();

const TAG = 'Workflows';
const byId = z.object({ id: z.string() });

/** The routes of predefined workflows: list, detail, store, remove. */
export function workflowRoutes(builtinIds: ReadonlySet<string>): AnyRoute<WorkflowServices>[] {
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
      handler: async (_input, { services }) => ({
        workflows: (await services.catalogue.list()).map((workflow) => ({
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
      handler: async ({ params }, { services }) => toDetail(await services.catalogue.get(params.id)),
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
      async handler({ body }, { owner, signal, services: { argumentChecks, schemaChecks, catalogue } }) {
        const { $schema: _, ...workflow } = body;
        const { id, inputs } = workflow;
        await asStepProblem(null, () =>
          checkSchema(schemaChecks.of(owner), id, readInputs(inputs), 'inputs', signal()),
        );
        await catalogue.put(workflow, { check: argumentChecks.of(owner), signal: signal() });
        return toDetail(workflow);
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
      handler: async ({ params: { id } }, { services }) => {
        await services.catalogue.remove(id);
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
