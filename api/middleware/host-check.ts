import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError } from '../../src/errors';
import type { RequestState } from './request-context';

export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** They change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** An orchestrator asks by the address, whatever the name of the service. */
const PROBES = new Set(['/livez', '/readyz']);

/**
 * Refuses Host names that are not this machine's or `allowed`: a web page elsewhere could otherwise reach a server
 * without authentication by rebinding its own name to this address. And refuses what changes something on behalf of
 * a page from elsewhere: a browser sends a POST without a body anywhere, without asking first.
 * @param origins whose pages are trusted, whatever their host is
 */
export function hostCheck(
  allowed: readonly string[],
  origins: readonly string[] = [],
): Middleware<RequestState, DefaultContext> {
  return async (ctx, next) => {
    const isAllowed = (name: string): boolean => LOOPBACK.test(name) || allowed.includes(name);
    const isTrusted = (origin: string): boolean => origins.includes(origin) || isAllowed(hostOf(origin));
    const host = ctx.host.toLowerCase().replace(/:\d+$/, '');
    if (!PROBES.has(ctx.path) && !isAllowed(host)) throw refused(`The Host "${host}"`);
    const origin = ctx.get('Origin');
    if (origin !== '' && !SAFE_METHODS.has(ctx.method) && !isTrusted(origin)) {
      throw refused(`A page of "${origin}"`);
    }
    await next();
  };
}

function refused(who: string): HoldfastError {
  return new HoldfastError('HOST_NOT_ALLOWED', `${who} is not answered here (ALLOWED_HOSTS)`);
}

/** Empty for the origin "null" of a page without one, and for what is no origin. */
export function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : '';
}
