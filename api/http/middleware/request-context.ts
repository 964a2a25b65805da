import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError } from '../../../src/base/errors';
import { newId } from '../../../src/base/ids';
import type { Logger } from '../../../src/base/logger';
import type { Metrics } from '../../../src/base/metrics';
import type { StartedRun } from '../../../temporal/started-run';
import type { RequestState } from '../request-state';

/** Asked every few seconds by whoever watches the process. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);
/** What is no route's path may name anything. */
const NO_ROUTE = '(no route)';
const REQUEST_ID = /^[\w.:-]{1,128}$/;

export interface RequestContextOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The pattern of the route that a path belongs to, whether it takes the method or not; undefined where none does. */
  readonly patternOf: (path: string, method: string) => string | undefined;
  /** Address of a run in the Temporal UI; absent where there is no UI to point to. */
  readonly runLink: ((run: StartedRun) => string) | undefined;
  /** Aborts when requests can be waited for no longer. */
  readonly stopping: AbortSignal;
}

/** Gives a request its id, its logger, and the headers of the run it starts; writes one line when it is done. */
export function requestContext({
  logger,
  metrics,
  patternOf,
  runLink,
  stopping,
}: RequestContextOptions): Middleware<RequestState, DefaultContext> {
  return async (ctx, next) => {
    const started = performance.now();
    const end = metrics.requestBegins();
    const given = ctx.get('X-Request-Id');
    const requestId = REQUEST_ID.test(given) ? given : newId();
    ctx.set('X-Request-Id', requestId);
    const gone = new AbortController();
    ctx.state.context = {
      requestId,
      signal: () => AbortSignal.any([gone.signal, stopping]),
      logger: logger.child({ requestId }),
      noteRun(run) {
        ctx.state.run = run;
        ctx.set('X-Workflow-Id', run.workflowId);
        ctx.set('X-Trace-Id', run.runId);
        if (runLink !== undefined) ctx.set('X-Temporal-UI', runLink(run));
      },
    };
    // When the answer is out, so that no caller waits for the log.
    ctx.res.once('close', () => {
      if (!ctx.res.writableFinished) gone.abort(abandoned('its caller has gone'));
      const run = ctx.state.run;
      const ms = performance.now() - started;
      // A path may name a user, who may be erased before the log is read.
      const path = patternOf(ctx.path, ctx.method) ?? NO_ROUTE;
      end({ method: ctx.method, route: path, status: ctx.res.statusCode, seconds: ms / 1_000 });
      logger[PROBES.has(path) ? 'debug' : 'info'](
        {
          requestId,
          method: ctx.method,
          path,
          status: ctx.res.statusCode,
          ms: Math.round(ms),
          ...(run ? { workflowId: run.workflowId, runId: run.runId } : {}),
          ...(ctx.res.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    await next();
  };
}

/** Why work for a request ends before it is done. */
export function abandoned(reason: string): HoldfastError {
  return new HoldfastError('REQUEST_ABANDONED', `The request was given up: ${reason}`, {
    details: { service: 'api', reason },
    retryable: true,
  });
}
