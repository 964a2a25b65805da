import { setMaxListeners } from 'node:events';
import type { DefaultContext, Middleware } from 'koa';
import type { ServerResponse } from 'node:http';
import { ANYONE } from '../../../src/access/caller';
import type { BytesInFlight, Taking } from '../../../src/base/async/bytes-in-flight';
import { HoldfastError } from '../../../src/base/errors';
import { newId } from '../../../src/base/ids';
import type { Logger } from '../../../src/base/logger';
import type { Metrics } from '../../../src/base/metrics';
import type { Redactor } from '../../../src/secrets/redactor';
import { partOf } from '../../../src/contracts/runs/run-owner';
import type { StartedRun, AdmitBytes } from '../../../temporal/runs/started-run';
import type { RequestState } from '../request-state';

/** A response that needs room has to be received within this time, ms, or a slow reader would hold the room for ever. */
const HOLD_LIMIT_MS = 600_000;

/** Orchestrators call these every few seconds, so their log lines are at level debug. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);
/** Replaces a path without a route in logs and metrics, since it may contain any text. */
const NO_ROUTE = '(no route)';
const REQUEST_ID = /^[\w.:-]{1,128}$/;

export interface RequestContextOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly redactor: Redactor;
  /**
   * Returns the pattern of a path's route, even if the route has other methods; undefined if no route matches.
   */
  readonly patternOf: (path: string, method: string) => string | undefined;
  /** Builds the address of a run in the Temporal UI; absent if there is no UI. */
  readonly runLink: ((run: StartedRun) => string) | undefined;
  /** Aborts when the process can wait for requests no longer. */
  readonly stopping: AbortSignal;
  readonly inFlight: BytesInFlight;
}

/** Gives a request its id, its logger and the headers of the run that it starts, and logs one line when it is done. */
export function requestContext({
  logger,
  metrics,
  redactor,
  patternOf,
  runLink,
  stopping,
  inFlight,
}: RequestContextOptions): Middleware<RequestState, DefaultContext> {
  // Every request may add a listener, so their number has no limit.
  setMaxListeners(0, stopping);
  return async (ctx, next) => {
    const started = performance.now();
    const end = metrics.requestBegins();
    const given = ctx.get('X-Request-Id');
    const requestId = REQUEST_ID.test(given) ? given : newId();
    ctx.set('X-Request-Id', requestId);
    const abandoned = new AbortController();
    const stop = (): void => abandoned.abort(stopping.reason);
    const room = openResponseRoom(ctx.res, inFlight, () => {
      const { owner, signal } = ctx.state.context;
      // The run of this request has had its effect, so its caller is not asked to send the request again.
      const waitMs = ctx.state.run === undefined ? {} : { waitMs: Infinity };
      return { ...partOf(owner), signal: signal(), ...waitMs };
    });
    ctx.state.context = {
      requestId,
      redactor,
      caller: ANYONE,
      owner: { tenant: ANYONE.tenant },
      keyPrefix: undefined,
      signal() {
        // `AbortSignal.any` would leave an entry of every request at the signal of the process for ever (Node.js 20).
        if (stopping.aborted) stop();
        else if (!abandoned.signal.aborted) stopping.addEventListener('abort', stop, { once: true });
        return abandoned.signal;
      },
      admit: (bytes) => room.admit(bytes),
      releaseRoom: () => room.release(),
      logger: logger.child({ requestId }),
      // Koa uses the name `origin` for the header.
      origin: `${ctx.protocol}://${ctx.host}`,
      noteRun(run) {
        ctx.state.run = run;
        ctx.set('X-Workflow-Id', run.workflowId);
        ctx.set('X-Trace-Id', run.runId);
        if (run.repeated !== undefined) ctx.set('Idempotent-Replayed', 'true');
        if (runLink !== undefined) ctx.set('X-Temporal-UI', runLink(run));
      },
    };
    const { socket } = ctx.req;
    // The line is logged after the response was sent, so that no caller waits for the log.
    let isFinished = false;
    const finish = (): void => {
      // Both listeners are called when a connection ends, because Node.js ends its response first.
      if (isFinished) return;
      isFinished = true;
      socket.off('close', finish);
      room.close();
      stopping.removeEventListener('abort', stop);
      if (!ctx.res.writableFinished) abandoned.abort(requestAbandoned('its caller has gone'));
      const run = ctx.state.run;
      const ms = performance.now() - started;
      const { keyId } = ctx.state.context.caller;
      // The pattern is logged and not the path, since a path may contain a user's name, which an erasure does not
      // remove from logs.
      const path = patternOf(ctx.path, ctx.method) ?? NO_ROUTE;
      end({ method: ctx.method, route: path, status: ctx.res.statusCode, seconds: ms / 1_000 });
      logger[PROBES.has(path) ? 'debug' : 'info'](
        {
          requestId,
          method: ctx.method,
          path,
          status: ctx.res.statusCode,
          ms: Math.round(ms),
          keyId,
          ...(run ? { workflowId: run.workflowId, runId: run.runId } : {}),
          ...(ctx.res.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    };
    ctx.res.once('close', finish);
    // A response that waits for an earlier one of its connection has no event of its own when the caller leaves.
    socket.setMaxListeners(0).once('close', finish);
    await next();
  };
}

/** Creates the error with which the work for a request ends early. */
export function requestAbandoned(reason: string): HoldfastError {
  return new HoldfastError('REQUEST_ABANDONED', `The request was abandoned: ${reason}`, {
    details: { service: 'api', reason },
    retryable: true,
  });
}

export interface ResponseRoom {
  readonly admit: AdmitBytes;
  /** Gives back what was admitted so far, whose values are not in memory any more. */
  release(): void;
  /** Gives the room back, when the response was sent or its caller has gone. */
  close(): void;
}

/**
 * Takes the room of one response. What it needs later is added to what it has: it gives the first back and takes both together, so
 * that no response waits for room that it holds itself.
 */
export function openResponseRoom(
  res: ServerResponse,
  inFlight: BytesInFlight,
  next: () => Omit<Taking, 'bytes'>,
): ResponseRoom {
  let bytes = 0;
  let giveBack = (): void => undefined;
  let turn: Promise<void> = Promise.resolve();
  let limit: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function grow(more: number): Promise<void> {
    giveBack();
    giveBack = await inFlight.take({ ...next(), bytes: bytes + more });
    bytes += more;
    if (isClosed) giveBack();
    else limit ??= setTimeout(() => res.destroy(), HOLD_LIMIT_MS).unref();
  }

  return {
    admit(more) {
      const grown = turn.then(() => grow(more));
      turn = grown.catch(() => undefined);
      return grown;
    },
    release() {
      turn = turn.then(() => {
        bytes = 0;
        giveBack();
        clearTimeout(limit);
        limit = undefined;
      });
    },
    close() {
      isClosed = true;
      clearTimeout(limit);
      giveBack();
    },
  };
}
