import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError, isHoldfastError } from '../../src/errors';
import { failure } from '../http/envelope';
import { errorFormOf, ERROR_TABLE } from '../http/error-table';
import type { RequestState } from './request-context';

/**
 * Answers every error with the envelope. What has no code of ours is logged under the request id and answered
 * without internals.
 */
export function handleErrors(): Middleware<RequestState, DefaultContext> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toHoldfastError(thrown);
      const { logger } = ctx.state.context;
      const { status } = ERROR_TABLE[error.code];
      const run = ctx.state.run;
      const about = { code: error.code, ...(run ? { workflowId: run.workflowId, runId: run.runId } : {}) };
      if (error.code === 'INTERNAL' || error.code === 'CONFIGURATION') {
        logger.error({ ...about, err: thrown }, 'request failed unexpectedly');
      } else {
        logger.debug({ ...about, reason: error.message }, 'request failed');
      }
      ctx.status = status;
      if (error.code === 'METHOD_NOT_ALLOWED') ctx.set('Allow', String(error.details?.['allow']));
      if (status === 503) ctx.set('Retry-After', '1');
      ctx.body = failure(error, errorFormOf(ctx.path));
    }
  };
}

function toHoldfastError(error: unknown): HoldfastError {
  if (isHoldfastError(error)) return error;
  // A path with a broken percent escape.
  if (error instanceof URIError) return new HoldfastError('PATH_NOT_FOUND', 'The path is not valid');
  return new HoldfastError('INTERNAL', 'An unexpected error occurred', { cause: error });
}
