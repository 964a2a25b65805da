import { z } from 'zod';
import type { Reruns } from '../../requests/reruns';
import { jsonObjectSchema } from '../../src/contracts/http/text-schema';
import type { Engine } from '../../temporal/engine';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import { locateYoungRun } from '../../temporal/runs/young-run';
import { pathOfRun } from '../../requests/path-of-run';
import { webhookOption } from '../../requests/run-options';
import { toAcceptedRun } from '../http/envelope';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { runNameSchema, traceIdParams, workflowIdSchema } from './run-schema';

export interface RerunServices {
  readonly runs: { readonly reruns: Reruns };
}

const body = z.strictObject({
  fromStep: z
    .string()
    .max(64)
    .optional()
    .describe('Earlier steps that were completed are not run again; left out: all run'),
  inputs: jsonObjectSchema.optional().describe('Inputs with other values'),
  overrides: z
    .record(
      z.string(),
      z.strictObject({
        config: jsonObjectSchema
          .optional()
          .describe(
            'Merged with the configuration of the step (of a call: `toolName` and `args`); null removes a field',
          ),
        result: z.unknown().optional().describe('Stands for the result of the step, which does not run'),
      }),
    )
    .optional()
    .describe(
      'What steps do otherwise, by their ids; calls have their numbers, from 1; those of a planned run have no `config`',
    ),
  options: z.strictObject({ webhook: webhookOption }).optional(),
});

const response = z.object({
  runId: z.string(),
  traceId: z.string(),
  workflowId: z.string(),
  status: z.string(),
  rerunOf: runNameSchema,
  reused: z.array(z.string()).readonly().describe('The steps whose outcomes are those of the first run'),
});

/** The route that runs again what a run has run. */
export function rerunRoute(engine: Engine, shown: ShownRuns): AnyRoute<RerunServices> {
  return routesWith<RerunServices>().defineRoute({
    method: 'post',
    path: '/api/runs/:traceId/rerun',
    ...documentedAs('rerunRun'),
    access: 'run',
    startsRun: true,
    tag: 'Runs',
    summary: 'Run again what a run ran, or from a step on',
    description:
      'Starts a new run of what a run that has ended ran. With `fromStep`, an earlier step that was completed is reused, unless it ' +
      'depends on one that runs again; custom workflows, sequences, parallel calls and planned runs have it. Other runs are run again ' +
      'as a whole; a 409 names the endpoint for those that cannot be.',
    message: 'The run is started',
    request: {
      params: traceIdParams,
      query: z.strictObject({ workflowId: workflowIdSchema.optional() }),
      body,
    },
    response,
    isPending: () => true,
    location: ({ runId, workflowId }) => pathOfRun({ runId, workflowId }),
    async handler({ params, query, body: { options: _, ...request } }, context) {
      const first = await locateYoungRun(engine, { ...shown, owner: context.owner }, { ...params, ...query });
      const { rerun, ...run } = await context.services.runs.reruns.start(first, request, context);
      return { ...toAcceptedRun(run), rerunOf: rerun.of, reused: [...rerun.reused] };
    },
  });
}
