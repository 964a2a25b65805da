import { z } from 'zod';
import type { Engine } from '../../temporal/engine';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import { findYoungRun } from '../../temporal/runs/young-run';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { findReruns } from '../../temporal/runs/find-reruns';
import { runEventRoute } from './event-routes';
import { runListRoute, type RunListServices } from './list-routes';
import { withSteps } from '../../requests/answers/with-steps';
import { runSchema, traceIdParams, workflowIdSchema } from './run-schema';
import { rerunRoute, type RerunServices } from './rerun-routes';
import { stepRoutes } from './step-routes';
import { stopRoutes } from './stop-routes';
import { runTokenQuery, runTokenRoute, type RunTokenPorts } from './token-routes';
import { usageRoute, type UsageServices } from './usage-route';
import { hasEnded, waitForRun } from '../../temporal/runs/run-wait';

const MAX_SECONDS = 60;
const DEFAULT_SECONDS = 30;
const query = z.strictObject({
  timeout: z
    .string()
    // `Number` would convert blank text to 0.
    .refine((text) => text.trim() !== '', 'must be a number of seconds')
    .pipe(z.coerce.number<string>().min(0).max(MAX_SECONDS))
    .default(DEFAULT_SECONDS)
    .meta({ type: 'number', minimum: 0, maximum: MAX_SECONDS, default: DEFAULT_SECONDS })
    .describe('Seconds'),
  workflowId: workflowIdSchema.optional(),
});

export interface RunRoutesPorts extends Pick<RunTokenPorts, 'tokens' | 'keys'> {
  readonly engine: Engine;
  readonly shown: ShownRuns;
  readonly feeds: RunFeeds;
}

/** The routes that look up, list, wait for and stop runs, for a caller that did not wait for the result. */
export function runRoutes({
  engine,
  shown,
  feeds,
  tokens,
  keys,
}: RunRoutesPorts): AnyRoute<RunListServices & RerunServices & UsageServices>[] {
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
        const [shownRun, reruns] = await Promise.all([
          withSteps(engine, record, context),
          findReruns(engine, record),
        ]);
        return { ...shownRun, ...(reruns && { reruns }) };
      },
    }),
    runWaitRoute(engine, shown),
    runEventRoute({ engine, shown, feeds }),
    ...stepRoutes(engine, shown),
    rerunRoute(engine, shown),
    runTokenRoute({ engine, shown, tokens, keys }),
    runListRoute(engine, shown),
    usageRoute(),
    ...stopRoutes(engine, shown),
  ];
}

/** The route that waits for the end of a run. */
function runWaitRoute(engine: Engine, shown: ShownRuns): AnyRoute {
  return defineRoute({
    method: 'get',
    path: '/api/runs/:traceId/wait',
    ...documentedAs('waitForRun'),
    access: 'read',
    tag: 'Runs',
    summary: 'Wait for the end of a run',
    description:
      'The response is a 200 with the record of the run once it has ended, however it ended, and a 202 with the record ' +
      'if it is still open at the end of `timeout`. A run that continued as new is waited for until the end of its ' +
      'chain. With `workflowId` a new run is found at once; without it, an id younger than 5 s is waited for up to 2 s.',
    message: (run) => (hasEnded(run) ? 'Run retrieved successfully' : 'The run continues'),
    request: { params: traceIdParams, query },
    response: runSchema,
    isPending: (run) => !hasEnded(run),
    async handler({ params, query: { timeout, workflowId } }, context) {
      const wait = { timeoutMs: timeout * 1_000, signal: context.signal() };
      const scope = { ...shown, owner: context.owner, admit: context.admit };
      const record = await waitForRun(engine, scope, { ...params, workflowId }, wait);
      return withSteps(engine, record, context);
    },
  });
}
