import type { DefaultContext, Middleware } from 'koa';
import type { RequestState } from '../request-state';

/**
 * One spelling for each path: `/api/v1/...` answers like `/api/...`, as the current version is the default, and a
 * slash at the end changes nothing. Case does matter, because names of tools are in paths.
 */
export function canonicalPath(): Middleware<RequestState, DefaultContext> {
  return (ctx, next) => {
    ctx.path = ctx.path.replace(/^\/api\/v1(?=\/|$)/, '/api').replace(/(?<=[^/])\/$/, '');
    return next();
  };
}
