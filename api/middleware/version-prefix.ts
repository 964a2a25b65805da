import type { DefaultContext, Middleware } from 'koa';
import type { RequestState } from './request-context';

/** `/api/v1/...` answers like `/api/...`: the current version is the default. */
export function versionPrefix(): Middleware<RequestState, DefaultContext> {
  return (ctx, next) => {
    ctx.path = ctx.path.replace(/^\/api\/v1(?=\/|$)/, '/api');
    return next();
  };
}
