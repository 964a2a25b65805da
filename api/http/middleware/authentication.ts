import type { DefaultContext, Middleware } from 'koa';
import { isHoldfastError } from '../../../src/base/errors';
import { checkAccess, type AccessRule } from '../access';
import type { Authentication } from '../caller-identity';
import type { RequestState } from '../request-state';

/** Finds out who sends a request, and whether it may use the route, before the request's body is read. */
export function authentication(
  { authenticator, identify }: Authentication,
  /** What a request needs; undefined if no route matches. */
  ruleOf: (path: string, method: string) => AccessRule | undefined,
): Middleware<RequestState, DefaultContext> {
  return async (ctx, next) => {
    const rule = ruleOf(ctx.path, ctx.method);
    if (rule?.access !== 'open' && ctx.state.isByRunToken !== true) {
      const address = ctx.req.socket.remoteAddress ?? '';
      const authorization = ctx.get('Authorization');
      const { logger } = ctx.state.context;
      const caller = await authenticator.authenticate(authorization, address).catch((error: unknown) => {
        if (isRefusal(error)) logger.warn({ address }, 'a key or token was refused');
        throw error;
      });
      const { owner, keyPrefix } = identify(caller);
      ctx.state.context = { ...ctx.state.context, caller, owner, keyPrefix };
      ctx.state.isStillValid = () => authenticator.isStillValid(authorization);
      if (rule !== undefined) checkAccess(caller, rule);
    }
    await next();
  };
}

/** Whether a key or token was sent and is not valid. */
function isRefusal(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'UNAUTHENTICATED' && error.details !== undefined;
}
