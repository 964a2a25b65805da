import type Router from '@koa/router';
import { isHoldfastError } from '../../src/base/errors';
import type { RequestState } from './request-state';
import { readPaced } from './body-pace';
import { success } from './envelope';
import { parseInput } from './input';
import { isKnown, readEntityTags } from './entity-tags';
import { readIdempotencyKey } from './idempotency-key';
import type { AnyRoute, RequestSchemas } from './route';
import { isStreamRoute } from './route';
import { sendStream } from './send-stream';

/**
 * Mounts routes on a router. Each validates the parts of a request, calls the handler, and wraps its result in the
 * envelope or sends its stream.
 * @param stallMs how long a streamed body may pause, milliseconds
 */
export function mountRoutes(
  router: Router<RequestState>,
  routes: readonly AnyRoute[],
  stallMs: number,
): void {
  for (const route of routes) {
    router[route.method](route.path, async (ctx) => {
      const input = parseRequest(route, ctx.params, ctx.query, ctx.request.body ?? {});
      const idempotencyKey = readIdempotencyKey(route, headerOf(ctx.headers['idempotency-key']));
      if (isStreamRoute(route)) {
        const context = { ...ctx.state.context, idempotencyKey, ifMatch: undefined, bodyStream: undefined };
        await sendStream(ctx, await route.handler(input, context), route.stallLimitMs);
        return;
      }
      const ifMatch =
        route.conditional === true ? readEntityTags('If-Match', ctx.headers['if-match']) : undefined;
      const { status = 200, message } = route;
      const bodyStream = route.streamedBody === undefined ? undefined : readPaced(ctx.req, stallMs);
      const context = { ...ctx.state.context, idempotencyKey, ifMatch, bodyStream };
      const data: unknown = await route.handler(input, context);
      const tools = await route.tools?.(input);
      ctx.status = route.isPending?.(data) === true ? 202 : status;
      if (route.location !== undefined) ctx.set('Location', route.location(data));
      if (route.etag !== undefined) {
        const tag = route.etag(data);
        ctx.set('ETag', tag);
        if (route.method === 'get' && isKnown(tag, ctx.headers['if-none-match'])) {
          ctx.status = 304;
          return;
        }
      }
      ctx.body = success(data, typeof message === 'string' ? message : message(data), tools);
    });
  }
}

/** Validates the parts of a request. @throws HoldfastError `VALIDATION`, or the error that the route converts it to */
function parseRequest(route: AnyRoute, params: unknown, query: unknown, body: unknown) {
  const schemas = route.request as RequestSchemas;
  try {
    return {
      params: parseInput(schemas.params, params, 'path'),
      query: parseInput(schemas.query, query, 'query'),
      body: parseInput(schemas.body, body, 'body'),
    };
  } catch (error) {
    throw isHoldfastError(error) ? (route.onInvalid?.(error, body) ?? error) : error;
  }
}

/** Joins the values of a repeated header. Node.js joins them already, but its types say so only for known headers. */
function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
