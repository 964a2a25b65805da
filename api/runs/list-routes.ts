import { z } from 'zod';
import { pseudonymOfSession, type Pseudonyms, RUN_USER } from '../../src/secrets/pseudonyms';
import type { Engine } from '../../temporal/engine';
import { listRuns } from '../../temporal/runs/run-list';
import { findRun, type RunLookup, type ShownRuns } from '../../temporal/runs/run-lookup';
import type { RunFilter } from '../../temporal/runs/run-query';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, listQuerySchema } from './list-requests';
import { withSteps } from '../../requests/answers/with-steps';
import { runSchema } from './run-schema';

const listedRunSchema = runSchema.omit({ result: true, error: true }).extend({
  area: z.string().optional().describe('Absent for a run without search attributes'),
  tools: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(
      'The tools that the run was started with; absent if it names none, as one that plans its calls',
    ),
});

const runsSchema = z.object({
  runs: z.array(listedRunSchema),
  next: z.string().optional().describe('Cursor of the next page; absent on the last page'),
});

type Query = z.output<typeof listQuerySchema>;

/** What the list needs of the caller's tenant. */
export interface RunListServices {
  readonly pseudonyms: Pseudonyms;
}

const { defineRoute } = routesWith<RunListServices>();

/** The route that lists runs, and looks up the latest run of a workflow id. */
export function runListRoute(engine: Engine, shown: ShownRuns): AnyRoute<RunListServices> {
  return defineRoute({
    method: 'get',
    path: '/api/runs',
    ...documentedAs('listRuns'),
    access: 'read',
    tag: 'Runs',
    summary: 'Runs, newest first, or the latest run of a workflow id',
    description:
      'Without `workflowId` the response is a page of runs without their results. Each run is on one page, whatever ' +
      'starts and ends meanwhile; a new run is listed within about a second. A run that continued as new is listed as ' +
      'its chain, at the start of its latest run. With `workflowId` alone the response is the state and the result of ' +
      'the latest run, for a caller without a trace id, for example if the start of the run was not confirmed in time.',
    message: (data) => ('runs' in data ? `Found ${data.runs.length} runs` : 'Run retrieved successfully'),
    request: { query: listQuerySchema },
    response: z.union([runsSchema, runSchema]),
    async handler({ query }, context) {
      const { workflowId } = query;
      const { owner, admit } = context;
      const scope = { ...shown, owner, admit };
      if (workflowId === undefined) return listPage(scope, query, context.services);
      return withSteps(engine, await findRun(engine, scope, { workflowId }), context);
    },
  });

  async function listPage(
    scope: RunLookup,
    query: Query,
    { pseudonyms }: RunListServices,
  ): Promise<z.input<typeof runsSchema>> {
    const { limit = DEFAULT_LIMIT, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const { runs, next } = await listRuns(engine, scope, {
      filter: toFilter(query, pseudonyms),
      limit,
      after,
    });
    return {
      runs: [...runs],
      ...(next === undefined ? {} : { next: encodeCursor(next) }),
    };
  }

  function toFilter(
    { area, type, tool, status, userId, sessionId, since, until }: Query,
    pseudonyms: Pseudonyms,
  ): RunFilter {
    return {
      area,
      type,
      tool,
      status,
      since,
      until,
      ...(userId === undefined ? {} : { user: pseudonyms(RUN_USER, userId) }),
      ...(userId === undefined || sessionId === undefined
        ? {}
        : { session: pseudonymOfSession(pseudonyms, { userId, sessionId }) }),
    };
  }
}
