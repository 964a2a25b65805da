import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import { formatFields, type MountOptions, type ServicesOf } from '../http/mount';
import { bindIdempotencyKey } from '../http/request-headers';
import type { RequestState } from '../http/request-state';
import { sendStream } from '../http/send-stream';
import { DEPTH_HEADER } from '../../src/llm/call-depth';
import { readDepth } from './depth';
import { toOpenAiError } from './errors';
import type { OpenAiOperation, OpenAiServices } from './ports';

/** The path under which the operations stand, as clients of OpenAI's API have it at the end of their base address. */
const OPENAI_PATH = /^\/v1(?:\/|$)/;
const IGNORED = 'X-Holdfast-Ignored';

/** The headers that pages of other origins have to be allowed: those of the operations, and what OpenAI's own client sends. */
export const OPENAI_HEADERS = {
  allow: [
    ...['X-User-Id', 'X-Session-Id', 'X-OpenWebUI-User-Id', 'X-OpenWebUI-Chat-Id'],
    ...['OpenAI-Organization', 'OpenAI-Project', 'X-Stainless-Arch', 'X-Stainless-Lang', 'X-Stainless-OS'],
    ...['X-Stainless-Package-Version', 'X-Stainless-Retry-Count', 'X-Stainless-Runtime'],
    ...['X-Stainless-Runtime-Version', 'X-Stainless-Timeout', 'X-Stainless-Helper-Method'],
  ],
  expose: [IGNORED],
} as const;

/** The operations of OpenAI's API, for the services of any tenant. */
export interface OpenAiEndpoint {
  readonly operations: readonly OpenAiOperation[];
  readonly servicesOf: ServicesOf<OpenAiServices>;
  readonly webhookOf: MountOptions['webhookOf'];
}

type Context = RouterContext<RequestState>;

/** Mounts the operations on a router. */
export function mountOpenAi(router: Router<RequestState>, endpoint: OpenAiEndpoint): void {
  for (const operation of endpoint.operations)
    router[operation.method](operation.path, (ctx) => answer(ctx, operation, endpoint));
}

/** Answers errors of the path in the form of OpenAI's API, also those of a request that reaches no operation. */
export function openAiErrors(): Middleware<RequestState> {
  return (ctx, next) => {
    if (OPENAI_PATH.test(ctx.path))
      ctx.state.errorBody = (error, status) => {
        // OpenAI's clients repeat a request after some errors, which would start a second run.
        if (ctx.state.run !== undefined) ctx.set('X-Should-Retry', 'false');
        return toOpenAiError(error, status);
      };
    return next();
  };
}

async function answer(
  ctx: Context,
  { handler }: OpenAiOperation,
  { servicesOf, webhookOf }: OpenAiEndpoint,
): Promise<void> {
  const { context } = ctx.state;
  const header = (name: string): string | undefined => ctx.get(name) || undefined;
  const key = header('Idempotency-Key');
  const ignored: string[] = [];
  const result = await handler(
    { params: ctx.params, query: ctx.query, body: ctx.request.body ?? {} },
    {
      ...context,
      services: await servicesOf(context.caller.tenant),
      idempotencyKey: key && bindIdempotencyKey('Idempotency-Key', key, context.keyPrefix),
      depth: readDepth(header(DEPTH_HEADER)),
      webhook: ctx.method === 'POST' ? webhookOf?.({}) : undefined,
      header,
      ignore(names) {
        ignored.push(...names);
        if (ignored.length > 0) ctx.set(IGNORED, formatFields(ignored));
      },
    },
  );
  if ('chunks' in result) return sendStream(ctx, result);
  ctx.body = result.body;
}
