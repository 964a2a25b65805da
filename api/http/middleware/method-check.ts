import type { DefaultContext, Middleware } from 'koa';
import type Router from '@koa/router';
import { HoldfastError } from '../../../src/base/errors';
import type { AnyRoute } from '../route';
import type { RequestState } from '../request-state';

/**
 * Rejects a path with an invalid percent escape, which the router would take for the text itself: `DELETE
 * /api/memory/clear/caf%E9` would erase a user of that name and report success. It also rejects a method that a path without
 * parameters does not have. The router would otherwise take `GET /api/tools/execute` for the tool named "execute".
 */
export function methodCheck(routes: readonly AnyRoute[]): Middleware<RequestState, DefaultContext> {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    if (path.includes(':')) continue;
    const known = methods.get(path) ?? new Set();
    known.add(method.toUpperCase());
    if (method === 'get') known.add('HEAD');
    methods.set(path, known);
  }
  return async (ctx, next) => {
    if (!isDecodable(ctx.path)) throw new HoldfastError('PATH_NOT_FOUND', 'The path is not valid');
    const known = methods.get(ctx.path);
    if (known !== undefined && !known.has(ctx.method)) throw methodNotAllowed(ctx.path, [...known]);
    await next();
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

export function pathNotFound(method: string, path: string): HoldfastError {
  return new HoldfastError('PATH_NOT_FOUND', `There is nothing at ${method} ${withoutTokens(path)}`);
}

export function methodNotAllowed(path: string, methods: readonly string[]): HoldfastError {
  const allow = methods.join(', ');
  return new HoldfastError('METHOD_NOT_ALLOWED', `${withoutTokens(path)} answers ${allow}`, {
    details: { allow },
  });
}

/** Hides the token of a link to an approval, because the texts of errors are logged. */
function withoutTokens(path: string): string {
  return path.replace(/(\/approvals\/links\/).+/i, '$1:token');
}

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

/** Answers a request without a route: 405 with `Allow` if the path has other methods, else 404. */
export function unmatched(router: Router<RequestState>): Middleware<RequestState, DefaultContext> {
  return (ctx) => {
    const { path } = router.match(ctx.path, ctx.method);
    const methods = [...new Set(path.flatMap((layer) => layer.methods))];
    if (methods.length === 0) throw pathNotFound(ctx.method, ctx.path);
    throw methodNotAllowed(ctx.path, methods);
  };
}
