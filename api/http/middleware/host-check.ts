import type { DefaultContext, Middleware } from 'koa';
import { HoldfastError, validationError } from '../../../src/base/errors';
import type { RequestState } from '../request-state';
import { LOOPBACK } from '../../../src/base/http/listening-url';

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A name or an address, with or without a port (RFC 9110, 7.2). */
const HOST = /^(\[[\da-f:.%]+\]|[\w.~-]+)(:\d{1,5})?$/i;
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
 * origins, because a browser sends a POST without a body to any server without a preflight. If all names are
 * accepted, only pages of the called origin may write. A request with several hosts is refused everywhere.
 */
export function hostCheck({
  allowed,
  origins = [],
  strictPath,
}: HostCheckOptions): Middleware<RequestState, DefaultContext> {
  const isAllowed = (name: string): boolean => LOOPBACK.test(name) || (allowed ?? []).includes(name);
  return async (ctx, next) => {
    checkHostHeader(ctx.req.rawHeaders);
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

/**
 * A proxy in front may take another one of several hosts for the one that was asked for.
 * @throws HoldfastError `VALIDATION` if a request names several, or something else
 */
function checkHostHeader(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  if (hosts.length > 1) throw validationError('Host', 'must be there once');
  const [host = ''] = hosts;
  if (host !== '' && !HOST.test(host))
    throw validationError('Host', 'must be a name or an address, and a port');
}

function hostNotAllowed(who: string): HoldfastError {
  return new HoldfastError('HOST_NOT_ALLOWED', `${who} is not answered here (ALLOWED_HOSTS)`);
}

/**
 * Whether the Host header has the host and port of the origin. The scheme is not compared, because a proxy may
 * terminate TLS, but it gives the default port if one of the two has none.
 */
function isOriginOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  const askedOrigin = `${page.protocol}//${host}`;
  return page.host !== '' && URL.canParse(askedOrigin) && new URL(askedOrigin).host === page.host;
}

/** Returns the host name of an origin; empty for "null", the origin of a page without one, and for invalid text. */
export function parseHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : '';
}
