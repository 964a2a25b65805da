import cors from '@koa/cors';
import type { DefaultContext, Middleware } from 'koa';
import { hostOf, LOOPBACK } from './host-check';
import type { RequestState } from '../request-state';

export interface CrossOriginOptions {
  /** Origins whose pages may read and change, as in `https://app.example`. */
  readonly origins: readonly string[];
  /** Whether pages of any other origin may read. */
  readonly anyMayRead: boolean;
  /** Whether pages of this machine, on whatever port, may do what `origins` may. */
  readonly loopback: boolean;
}

const HEADERS = {
  allowHeaders: ['Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key', 'X-Request-Id'],
  exposeHeaders: ['ETag', 'Location', 'X-Request-Id', 'X-Workflow-Id', 'X-Trace-Id', 'Retry-After'],
  maxAge: 600,
  // They stay on an answer that tells an error.
  keepHeadersOnError: false,
};

/**
 * Tells browsers which pages may call (CORS). Those of unknown origins may read at most: without authentication, a page
 * that somebody happens to visit must not change anything on their behalf.
 */
export function crossOriginAccess({
  origins,
  anyMayRead,
  loopback,
}: CrossOriginOptions): Middleware<RequestState, DefaultContext> {
  const trusted = cors({
    ...HEADERS,
    origin: (ctx) => ctx.get('Origin'),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  });
  const reading = cors({ ...HEADERS, origin: '*', allowMethods: ['GET', 'HEAD'] });
  return async (ctx, next) => {
    const origin = ctx.get('Origin');
    const isTrusted = origins.includes(origin) || (loopback && LOOPBACK.test(hostOf(origin)));
    // Caches have to tell one from the other.
    ctx.vary('Origin');
    if (origin !== '' && isTrusted) await trusted(ctx, next);
    else if (origin !== '' && anyMayRead) await reading(ctx, next);
    else await next();
  };
}
