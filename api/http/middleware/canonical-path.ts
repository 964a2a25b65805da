import type { DefaultContext, Middleware } from 'koa';
import type { RequestState } from '../request-state';

/**
 * Rewrites a path to its canonical spelling: `/api/v1/...` becomes `/api/...`, because the current version is the
 * default, and a slash at the end is removed. Case stays, because paths contain names of tools.
 */
export function canonicalPath(): Middleware<RequestState, DefaultContext> {
  return (ctx, next) => {
    ctx.path = ctx.path.replace(/^\/api\/v1(?=\/|$)/, '/api').replace(/(?<=[^/])\/$/, '');
    return next();
  };
}
