import type Router from '@koa/router';
import type { DefaultContext, Middleware } from 'koa';
import { methodNotAllowed, pathNotFound } from './method-check';
import type { RequestState } from '../request-state';

/** Answers a request without a route: 405 with `Allow` if the path has other methods, else 404. */
export function unmatched(router: Router<RequestState>): Middleware<RequestState, DefaultContext> {
  return (ctx) => {
    const { path } = router.match(ctx.path, ctx.method);
    const methods = [...new Set(path.flatMap((layer) => layer.methods))];
    if (methods.length === 0) throw pathNotFound(ctx.method, ctx.path);
    throw methodNotAllowed(ctx.path, methods);
  };
}
