import { z } from 'zod';
import type { Pseudonyms } from '../../src/secrets/pseudonyms';
import type { Engine } from '../../temporal/engine';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import { findYoungRun } from '../../temporal/runs/young-run';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { runEventRoute } from './event-routes';
import { runListRoute } from './list-routes';
import { runSchema, traceIdParams, workflowIdSchema } from './run-schema';
import { stopRoutes } from './stop-routes';
import { runWaitRoute } from './wait-routes';
import { runTokenQuery, runTokenRoute, type RunTokenPorts } from './token-routes';
import { withSteps } from './with-steps';

export interface RunRoutesPorts extends Pick<RunTokenPorts, 'tokens' | 'keys'> {
  readonly engine: Engine;
  readonly shown: ShownRuns;
  readonly pseudonyms: Pseudonyms;
  readonly feeds: RunFeeds;
}

/** The routes that look up, list, wait for and stop runs, for a caller that did not wait for the result. */
export function runRoutes({ engine, shown, pseudonyms, feeds, tokens, keys }: RunRoutesPorts): AnyRoute[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/runs/:traceId',
      ...documentedAs('getRun'),
      access: 'read',
      takesRunToken: true,
      tag: 'Runs',
      summary: 'State and result of a run',
      description:
        'With `workflowId` the response is immediate; without it, an id younger than 5 s is waited for up to 2 s before a 404.',
      message: 'Run retrieved successfully',
      request: {
        params: traceIdParams,
        query: z.strictObject({ workflowId: workflowIdSchema.optional(), token: runTokenQuery }),
      },
      response: runSchema,
      async handler({ params, query: { workflowId } }, context) {
        const { owner, admit } = context;
        const record = await findYoungRun(engine, { ...shown, owner, admit }, { ...params, workflowId });
        return withSteps(engine, record, context);
      },
    }),
    runWaitRoute(engine, shown),
    runEventRoute({ engine, shown, feeds }),
    runTokenRoute({ engine, shown, tokens, keys }),
    runListRoute({ engine, shown, pseudonyms }),
    ...stopRoutes(engine, shown),
  ];
}
