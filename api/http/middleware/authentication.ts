import type { DefaultContext, Middleware } from 'koa';
import type { Authenticator } from '../../../src/access/authenticator';
import type { Caller } from '../../../src/access/caller';
import { HoldfastError, isHoldfastError } from '../../../src/base/errors';
import type { Access } from '../access';
import type { RequestState } from '../request-state';

/** Finds out who sends a request, and whether its scopes suffice, before the request's body is read. */
export function authentication(
  authenticator: Authenticator,
  /** What a request needs; undefined where no route matches. */
  accessOf: (path: string, method: string) => Access | undefined,
): Middleware<RequestState, DefaultContext> {
  return async (ctx, next) => {
    const access = accessOf(ctx.path, ctx.method);
    if (access !== 'open') {
      const address = ctx.req.socket.remoteAddress ?? '';
      const { logger } = ctx.state.context;
      const caller = await authenticator
        .authenticate(ctx.get('Authorization'), address)
        .catch((error: unknown) => {
          if (isRefusal(error)) logger.warn({ address }, 'a key or token was refused');
          throw error;
        });
      ctx.state.context = { ...ctx.state.context, caller };
      if (access !== undefined) checkScope(caller, access);
    }
    await next();
  };
}

function checkScope({ scopes }: Caller, access: Exclude<Access, 'open'>): void {
  if (scopes.has(access)) return;
  throw new HoldfastError('SCOPE_MISSING', `The request needs the scope ${access}`, {
    details: { scope: access },
  });
}

/** Whether a key or token was sent and is not valid. After many of these the authenticator checks no more, so lines are few. */
function isRefusal(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'UNAUTHENTICATED' && error.details !== undefined;
}
