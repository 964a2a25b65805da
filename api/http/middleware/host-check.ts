import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError } from '../../../src/base/errors';
import type { RequestState } from '../request-state';

export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** They change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** An orchestrator asks by the address, whatever the name of the service. */
const PROBES = new Set(['/livez', '/readyz']);

export interface HostCheckOptions {
  /** Host names that are answered beside this machine's; undefined: requests under any name are. */
  readonly allowed: readonly string[] | undefined;
  /** Origins whose pages are trusted, whatever their host is. Default: none. */
  readonly origins?: readonly string[] | undefined;
}

/**
 * Refuses Host names that are not this machine's or `allowed`: a web page elsewhere could otherwise reach a server
 * without authentication by rebinding its own name to this address. And refuses what changes something on behalf of
 * a page from elsewhere: a browser sends a POST without a body anywhere, without asking first. Where any name is
 * answered, only a page of the very origin that is asked may change something.
 */
export function hostCheck({
  allowed,
  origins = [],
}: HostCheckOptions): Middleware<RequestState, DefaultContext> {
  const isAllowed = (name: string): boolean => LOOPBACK.test(name) || (allowed ?? []).includes(name);
  return async (ctx, next) => {
    const host = ctx.host.toLowerCase();
    const name = host.replace(/:\d+$/, '');
    if (allowed !== undefined && !PROBES.has(ctx.path) && !isAllowed(name))
      throw refused(`The Host "${name}"`);
    const origin = ctx.get('Origin');
    const isTrusted =
      origins.includes(origin) ||
      (allowed === undefined ? isOriginOf(origin, host) : isAllowed(hostOf(origin)));
    if (origin !== '' && !SAFE_METHODS.has(ctx.method) && !isTrusted) throw refused(`A page of "${origin}"`);
    await next();
  };
}

function refused(who: string): HoldfastError {
  return new HoldfastError('HOST_NOT_ALLOWED', `${who} is not answered here (ALLOWED_HOSTS)`);
}

/**
 * Whether the Host header names the host and port of the origin. The scheme is not compared, as a proxy may take TLS off,
 * but it says which port is meant where one of the two names none.
 */
function isOriginOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  const asked = `${page.protocol}//${host}`;
  return page.host !== '' && URL.canParse(asked) && new URL(asked).host === page.host;
}

/** Empty for the origin "null" of a page without one, and for what is no origin. */
export function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : '';
}
