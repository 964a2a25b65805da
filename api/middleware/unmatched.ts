import type Router from '@koa/router';
import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError } from '../../src/errors';
import { methodNotAllowed } from './method-check';
import type { RequestState } from './request-context';

/** Answers what no route took: 405 with `Allow` where the path exists with another method, else 404. */
export function unmatched(router: Router<RequestState>): Middleware<RequestState, DefaultContext> {
  return (ctx) => {
    const { path } = router.match(ctx.path, ctx.method);
    const methods = [...new Set(path.flatMap((layer) => layer.methods))];
    if (methods.length === 0)
      throw new HoldfastError('PATH_NOT_FOUND', `There is nothing at ${ctx.method} ${ctx.path}`);
    throw methodNotAllowed(ctx.path, methods);
  };
}
