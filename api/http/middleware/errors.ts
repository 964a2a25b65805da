import type { DefaultContext, Middleware } from 'koa';
import type { ErrorCode } from '../../../src/base/error-codes';
import type { Metrics } from '../../../src/base/metrics';
import { bearerChallenge } from '../access';
import { failure } from '../envelope';
import { ERROR_TABLE, type ErrorForm, titleOf } from '../error-table';
import { createFailureNotes, toHoldfastError } from '../note-failures';
import type { RequestState } from '../request-state';

/** Codes of errors that may be over a second later. */
const RETRY_SOON = new Set<ErrorCode>([
  'ENGINE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'REQUEST_ABANDONED',
  'SERVICE_BUSY',
  'EMBEDDER_UNAVAILABLE',
  'KEYS_UNAVAILABLE',
  'UNHEALTHY',
]);
/** Seconds after which a busy session may have room again, since a turn takes a few seconds. */
const RETRY_AFTER_A_TURN_S = '5';

/**
 * Answers every error with the envelope, or with the body that the path has for it. An error that is not a HoldfastError is logged under the request id and
 * answered without internals.
 * @param formOf returns the form of the errors of a path
 * @param metadataUrlOf returns where clients learn who issues tokens, by the origin that a request was sent to
 */
export function handleErrors(
  formOf: (path: string) => ErrorForm,
  metrics: Metrics,
  metadataUrlOf: (origin: string) => string | undefined,
): Middleware<RequestState, DefaultContext> {
  const noteFailure = createFailureNotes(metrics);

  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toHoldfastError(thrown);
      const run = ctx.state.run;
      noteFailure({ error, thrown, logger: ctx.state.context.logger, run });
      const { status } = ERROR_TABLE[error.code];
      ctx.status = status;
      if (error.code === 'METHOD_NOT_ALLOWED') ctx.set('Allow', String(error.details?.['allow']));
      if (error.code === 'UNAUTHENTICATED' || error.code === 'SCOPE_MISSING')
        ctx.set('WWW-Authenticate', bearerChallenge(error.details, metadataUrlOf(ctx.state.context.origin)));
      if (error.code === 'TOO_MANY_ATTEMPTS')
        ctx.set('Retry-After', String(Math.ceil((error.retryAfterMs ?? 0) / 1_000)));
      // The rest of the body may still arrive, and no other request could use the connection until then.
      if (error.code === 'BODY_TOO_SLOW') ctx.set('Connection', 'close');
      // A run that a model has failed has ended, so a repeat is another one in any case.
      const waitMs = error.code === 'MODEL_UNAVAILABLE' ? error.details?.['retryAfterMs'] : undefined;
      if (typeof waitMs === 'number') ctx.set('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1_000))));
      if (error.code === 'SESSION_BUSY') ctx.set('Retry-After', RETRY_AFTER_A_TURN_S);
      // The run may have been started, although its trace id is unknown.
      const maybe = error.code === 'ENGINE_UNAVAILABLE' ? error.details?.['workflowId'] : undefined;
      if (typeof maybe === 'string') ctx.set('X-Workflow-Id', maybe);
      // If a run was or may have been started, a repeated request would start a second one, so `Retry-After` is not
      // sent.
      const hasRun = run !== undefined || typeof maybe === 'string';
      if (RETRY_SOON.has(error.code) && !hasRun) ctx.set('Retry-After', '1');
      const shown = ctx.state.context.redactor.error(error);
      ctx.body =
        ctx.state.errorBody?.(shown, status) ??
        failure(shown, formOf(ctx.path), titleOf(error.code, ctx.path));
    }
  };
}
