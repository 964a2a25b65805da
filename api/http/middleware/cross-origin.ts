import cors from '@koa/cors';
import type { DefaultContext, Middleware } from 'koa';
import { parseHost } from './host-check';
import type { RequestState } from '../request-state';
import { LOOPBACK } from '../../../src/base/http/listening-url';

export interface CrossOriginOptions {
  /** Origins whose pages may read and write, as in `https://app.example`. */
  readonly origins: readonly string[];
  /** Whether pages of any other origin may read. */
  readonly anyMayRead: boolean;
  /** Whether pages of this machine, on any port, may do the same as `origins`. */
  readonly loopback: boolean;
  /** Headers that pages may send and read besides those of every server. Default: none. */
  readonly further?: { readonly allow: readonly string[]; readonly expose: readonly string[] };
}

const HEADERS = {
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    'Last-Event-ID',
    'Prefer',
    'X-Request-Id',
  ],
  exposeHeaders: [
    ...['ETag', 'Location', 'X-Request-Id', 'X-Workflow-Id', 'X-Trace-Id', 'Retry-After'],
    ...['Preference-Applied', 'Idempotent-Replayed', 'WWW-Authenticate', 'X-Ignored-Fields'],
  ],
  maxAge: 600,
  // False keeps the headers on error responses as well, because this service writes those responses itself.
  keepHeadersOnError: false,
};

/**
 * Declares to browsers which pages may call (CORS), also for errors, and answers their preflights, which have no key. Pages of
 * unknown origins may at most read: there may be no authentication, so a page that a user happens to visit must not change anything
 * on the user's behalf. No response allows credentials that a browser adds by itself; a page sends its key in a header.
 */
export function crossOriginAccess({
  origins,
  anyMayRead,
  loopback,
  further = { allow: [], expose: [] },
}: CrossOriginOptions): Middleware<RequestState, DefaultContext> {
  const headers = {
    ...HEADERS,
    allowHeaders: [...HEADERS.allowHeaders, ...further.allow],
    exposeHeaders: [...HEADERS.exposeHeaders, ...further.expose],
  };
  const trusted = cors({
    ...headers,
    origin: (ctx) => ctx.get('Origin'),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  });
  const reading = cors({ ...headers, origin: '*', allowMethods: ['GET', 'HEAD'] });
  return async (ctx, next) => {
    const origin = ctx.get('Origin');
    const isTrusted = origins.includes(origin) || (loopback && LOOPBACK.test(parseHost(origin)));
    // Caches must not reuse a response for another origin.
    ctx.vary('Origin');
    if (origin !== '' && isTrusted) await trusted(ctx, next);
    else if (origin !== '' && anyMayRead) await reading(ctx, next);
    else await next();
  };
}
