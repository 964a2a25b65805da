import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError } from '../../../src/base/errors';
import { LOOPBACK } from '../../../src/base/loopback';
import type { RequestState } from '../request-state';

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Orchestrators call these by IP address, so any Host name is accepted. */
const PROBES = new Set(['/livez', '/readyz']);

export interface HostCheckOptions {
  /** Host names that are accepted besides those of this machine; undefined: all names. */
  readonly allowed: readonly string[] | undefined;
  /** Origins whose pages are trusted, independent of their host. Default: none. */
  readonly origins?: readonly string[] | undefined;
  /** A path on which reads by pages of other origins are rejected too. */
  readonly strictPath?: string;
}

/**
 * Rejects Host names other than those of this machine and `allowed`. Otherwise a web page elsewhere could rebind its
 * own name to this address and call a server that has no authentication. It also rejects writes from pages of other
 * origins, because a browser sends a POST without a body to any server without a preflight. Where all names are
 * accepted, only pages of the called origin may write.
 */
export function hostCheck({
  allowed,
  origins = [],
  strictPath,
}: HostCheckOptions): Middleware<RequestState, DefaultContext> {
  const isAllowed = (name: string): boolean => LOOPBACK.test(name) || (allowed ?? []).includes(name);
  return async (ctx, next) => {
    const host = ctx.host.toLowerCase();
    const name = host.replace(/:\d+$/, '');
    if (allowed !== undefined && !PROBES.has(ctx.path) && !isAllowed(name))
      throw hostNotAllowed(`The Host "${name}"`);
    const origin = ctx.get('Origin');
    const isTrusted =
      origins.includes(origin) ||
      (allowed === undefined ? isOriginOf(origin, host) : isAllowed(parseHost(origin)));
    const isSafe = SAFE_METHODS.has(ctx.method) && ctx.path !== strictPath;
    if (origin !== '' && !isSafe && !isTrusted) throw hostNotAllowed(`A page of "${origin}"`);
    await next();
  };
}

function hostNotAllowed(who: string): HoldfastError {
  return new HoldfastError('HOST_NOT_ALLOWED', `${who} is not answered here (ALLOWED_HOSTS)`);
}

/**
 * Whether the Host header has the host and port of the origin. The scheme is not compared, because a proxy may
 * terminate TLS, but it gives the default port where one of the two has none.
 */
function isOriginOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  const asked = `${page.protocol}//${host}`;
  return page.host !== '' && URL.canParse(asked) && new URL(asked).host === page.host;
}

/** Returns the host name of an origin; empty for "null", the origin of a page without one, and for invalid text. */
export function parseHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : '';
}
