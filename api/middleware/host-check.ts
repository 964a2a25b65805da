import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError } from '../../src/errors';
import type { RequestState } from './request-context';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * While the server is open on loopback without authentication, refuses names that are not this machine's: a
 * web page elsewhere could otherwise reach it by rebinding its own name to 127.0.0.1.
 */
export function hostCheck(allowed: readonly string[]): Middleware<RequestState, DefaultContext> {
  return async (ctx, next) => {
    const host = ctx.host.toLowerCase().replace(/:\d+$/, '');
    if (!LOOPBACK.test(host) && !allowed.includes(host)) {
      throw new HoldfastError('HOST_NOT_ALLOWED', `The Host "${host}" is not answered here (ALLOWED_HOSTS)`);
    }
    await next();
  };
}
