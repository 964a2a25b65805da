import type { DefaultContext, Middleware } from 'koa';
import type { ErrorCode } from '../../../src/base/error-codes';
import { HoldfastError, isHoldfastError } from '../../../src/base/errors';
import { SERVICE_FAULTS, type Metrics, type ServiceFault } from '../../../src/base/metrics';
import { failure } from '../envelope';
import type { ErrorForm } from '../error-table';
import { ERROR_TABLE, titleOf } from '../error-table';
import type { RequestState } from '../request-state';

/** What may be gone a second later. */
const RETRY_SOON = new Set<ErrorCode>([
  'ENGINE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'REQUEST_ABANDONED',
  'EMBEDDER_UNAVAILABLE',
  'UNHEALTHY',
]);
/** A turn takes a few seconds. */
const RETRY_AFTER_A_TURN_S = '5';
const FAULTS: ReadonlySet<ErrorCode> = new Set(SERVICE_FAULTS);
const isFault = (code: ErrorCode): code is ServiceFault => FAULTS.has(code);
/** An outage fails every request; this often a line says so, milliseconds. */
const OUTAGE_LINE_EVERY_MS = 1_000;

/**
 * Answers every error with the envelope. What has no code of ours is logged under the request id and answered
 * without internals.
 * @param formOf the form of the errors of a path
 */
export function handleErrors(
  formOf: (path: string) => ErrorForm,
  metrics: Metrics,
): Middleware<RequestState, DefaultContext> {
  const lastLine = new Map<ErrorCode, number>();

  function isTimeToTell(code: ErrorCode): boolean {
    const now = performance.now();
    if (now - (lastLine.get(code) ?? -Infinity) < OUTAGE_LINE_EVERY_MS) return false;
    lastLine.set(code, now);
    return true;
  }

  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toHoldfastError(thrown);
      if (isFault(error.code)) metrics.requestFailed(error.code);
      const { logger } = ctx.state.context;
      const { status } = ERROR_TABLE[error.code];
      const run = ctx.state.run;
      const about = { code: error.code, ...(run ? { workflowId: run.workflowId, runId: run.runId } : {}) };
      if (error.code === 'INTERNAL' || error.code === 'CONFIGURATION') {
        logger.error({ ...about, err: thrown }, 'request failed unexpectedly');
      } else if (status === 503 && error.code !== 'REQUEST_ABANDONED' && isTimeToTell(error.code)) {
        logger.warn({ ...about, reason: error.message, err: error.cause }, 'request failed for now');
      } else {
        logger.debug({ ...about, reason: error.message }, 'request failed');
      }
      ctx.status = status;
      if (error.code === 'METHOD_NOT_ALLOWED') ctx.set('Allow', String(error.details?.['allow']));
      // The rest of the body may still come, on a connection that nothing else can use meanwhile.
      if (error.code === 'BODY_TOO_SLOW') ctx.set('Connection', 'close');
      if (error.code === 'SESSION_BUSY') ctx.set('Retry-After', RETRY_AFTER_A_TURN_S);
      // A run that may have been started, its trace id being unknown.
      const maybe = error.code === 'ENGINE_UNAVAILABLE' ? error.details?.['workflowId'] : undefined;
      if (typeof maybe === 'string') ctx.set('X-Workflow-Id', maybe);
      // Where there is a run, or may be one, asking again would start a second one beside what the first has done.
      const hasRun = run !== undefined || typeof maybe === 'string';
      if (RETRY_SOON.has(error.code) && !hasRun) ctx.set('Retry-After', '1');
      ctx.body = failure(error, formOf(ctx.path), titleOf(error.code, ctx.path));
    }
  };
}

function toHoldfastError(error: unknown): HoldfastError {
  if (isHoldfastError(error)) return error;
  // A path with a broken percent escape.
  if (error instanceof URIError) return new HoldfastError('PATH_NOT_FOUND', 'The path is not valid');
  return new HoldfastError('INTERNAL', 'An unexpected error occurred', { cause: error });
}
