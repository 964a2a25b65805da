import { z } from 'zod';
import { cutText } from '../../src/base/text/well-formed';
import {
  type WorkflowProblem,
  workflowDefinitionSchema,
  workflowProblemSchema,
} from '../../src/contracts/http/workflows';
import { jsonObjectSchema } from '../../src/contracts/http/text-schema';
import { toProblems } from '../../src/workflow-definitions/find-problems';
import type { QueryRequestLimits } from '../../requests/planner-runs';
import { contractNames } from '../http/contract-names';
import { documentedAs } from '../http/examples';
import { type AnyRoute, type HandlerContext, routesWith } from '../http/route';
import { customRequestSchema } from '../../requests/custom-requests';
import { validatedLater } from '../http/schema-keys';
import { CUSTOM_PATH, type WorkflowRunServices } from './execution-routes';
import { readDefinition } from './read-definition';

/** How many problems a response has. */
const MAX_PROBLEMS = 200;
/** How many are found at all, since many may be the same. */
const MAX_FOUND = 1_000;
/** Characters of a field and of a message, which may quote the definition. */
const TEXT_LENGTH = 1_000;

const validationSchema = z.object({
  valid: z.boolean(),
  problems: z.array(workflowProblemSchema).describe(`Each once, at most ${MAX_PROBLEMS}`),
});

const { defineRoute } = routesWith<WorkflowRunServices>();

/** The route that finds all mistakes of a definition. */
export function workflowValidationRoute(limits: QueryRequestLimits): AnyRoute<WorkflowRunServices> {
  // What a run refuses is refused here.
  const requestSchema = customRequestSchema(limits);
  const rules = { names: contractNames(CUSTOM_PATH) };

  async function* findProblems(
    body: { readonly workflow: unknown; readonly inputs?: Readonly<Record<string, unknown>> | undefined },
    context: HandlerContext<WorkflowRunServices>,
  ): AsyncGenerator<WorkflowProblem> {
    const reading = readDefinition(requestSchema, body, rules);
    let next = reading.next();
    for (; next.done !== true; next = reading.next()) yield* toProblems(next.value);
    yield* context.services.runs.custom.findProblems(next.value, body.inputs, context);
  }

  return defineRoute({
    method: 'post',
    path: '/api/workflow/validate',
    ...documentedAs('validateWorkflow'),
    access: 'read',
    tag: 'Workflows',
    summary: 'All mistakes of a workflow of typed steps, without running it',
    description:
      'A workflow is valid if `POST /api/workflow/execute-custom` takes it with these `inputs`. Without `inputs`, any ' +
      'reference such as `{{input.name}}` is accepted, and the short form `{{name}}` of an input is not.',
    message: ({ valid }) => (valid ? 'Workflow is valid' : 'Workflow is not valid'),
    request: {
      body: z.strictObject({
        // Any value: what is wrong with it is the answer.
        workflow: validatedLater(workflowDefinitionSchema),
        inputs: jsonObjectSchema.optional().describe('Those of the run, if they are known'),
      }),
    },
    response: validationSchema,
    handler: async ({ body }, context) => {
      const problems = new Map<string, WorkflowProblem>();
      let foundCount = 0;
      for await (const { step, field, message } of findProblems(body, context)) {
        const problem = { step, field: cutText(field, TEXT_LENGTH), message: cutText(message, TEXT_LENGTH) };
        problems.set(JSON.stringify(problem), problem);
        foundCount += 1;
        if (problems.size === MAX_PROBLEMS || foundCount === MAX_FOUND) break;
      }
      return { valid: problems.size === 0, problems: [...problems.values()] };
    },
  });
}
