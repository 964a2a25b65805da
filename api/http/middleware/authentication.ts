import type { DefaultContext, Middleware } from 'koa';
import type { Authenticator } from '../../../src/access/authenticator';
import type { Caller } from '../../../src/access/caller';
import { isHoldfastError } from '../../../src/base/errors';
import type { RunOwner } from '../../../src/contracts/runs/run-owner';
import { checkAccess, type AccessRule } from '../access';
import type { RequestState } from '../request-state';

/** Finds out who sends a request, and whether it may use the route, before the request's body is read. */
export function authentication(
  authenticator: Authenticator,
  /** What a request needs; undefined where no route matches. */
  ruleOf: (path: string, method: string) => AccessRule | undefined,
  ownerOf: (caller: Caller) => RunOwner,
): Middleware<RequestState, DefaultContext> {
  return async (ctx, next) => {
    const rule = ruleOf(ctx.path, ctx.method);
    if (rule?.access !== 'open') {
      const address = ctx.req.socket.remoteAddress ?? '';
      const { logger } = ctx.state.context;
      const caller = await authenticator
        .authenticate(ctx.get('Authorization'), address)
        .catch((error: unknown) => {
          if (isRefusal(error)) logger.warn({ address }, 'a key or token was refused');
          throw error;
        });
      ctx.state.context = { ...ctx.state.context, caller, owner: ownerOf(caller) };
      if (rule !== undefined) checkAccess(caller, rule);
    }
    await next();
  };
}

/** Whether a key or token was sent and is not valid. After many of these the authenticator checks no more, so lines are few. */
function isRefusal(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'UNAUTHENTICATED' && error.details !== undefined;
}
