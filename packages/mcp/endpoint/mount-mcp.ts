import { setMaxListeners } from 'node:events';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { EVENT_STREAM } from '../../../api/http/event-stream';
import type { RequestState } from '../../../api/http/request-state';
import { sendStream } from '../../../api/http/send-stream';
import type { McpEndpoint } from './create-mcp';
import type { HoldfastError } from '../../../src/base/errors';
import { ERROR_TABLE } from '../../../api/http/error-table';
import { textOf } from './protocol-errors';

export const MCP_PATH = '/mcp';
/** The methods of the path. GET and DELETE are those of sessions. */
export const MCP_METHODS = ['post', 'get', 'delete'] as const;

/** The headers of the protocol, which pages of other origins have to be allowed. */
export const MCP_HEADERS = {
  allow: ['Mcp-Session-Id', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  expose: ['Mcp-Session-Id', 'Mcp-Protocol-Version'],
} as const;

type Context = RouterContext<RequestState>;

/** Mounts the Model Context Protocol on a router. */
export function mountMcp(router: Router<RequestState>, mcp: McpEndpoint): void {
  // Every open stream adds a listener, so their number has no limit.
  setMaxListeners(0, mcp.stopping);
  for (const method of MCP_METHODS) router[method](MCP_PATH, (ctx) => answer(ctx, mcp));
}

/** Answers errors of the path as JSON-RPC does. */
export function mcpErrors(): Middleware<RequestState> {
  return (ctx, next) => {
    if (ctx.path === MCP_PATH) ctx.state.errorBody = toErrorBody;
    return next();
  };
}

async function answer(ctx: Context, mcp: McpEndpoint): Promise<void> {
  const gone = new AbortController();
  const closed = new AbortController();
  ctx.res.once('close', () => {
    closed.abort();
    if (!ctx.res.writableFinished) gone.abort();
  });
  const body: unknown = ctx.method === 'POST' ? (ctx.request.body ?? undefined) : undefined;
  const context = {
    ...ctx.state.context,
    idempotencyKey: undefined,
    ifMatch: undefined,
    bodyStream: undefined,
  };
  const request = toRequest(ctx, body, gone.signal);
  const response = await mcp.handle({ request, body, context, closed: closed.signal });
  const headers = Object.fromEntries(response.headers);
  delete headers['connection'];
  const type = headers['content-type'] ?? '';
  if (response.body !== null && type.startsWith(EVENT_STREAM)) {
    delete headers['content-type'];
    const ends = isOpenEnded(ctx.method, body) ? [closed.signal, mcp.stopping] : [closed.signal];
    const chunks = withFirstByte(response.body, ends);
    return sendStream(ctx, { mediaType: type, headers, chunks });
  }
  const text = await response.text();
  ctx.set(headers);
  ctx.body = text === '' ? null : text;
  // Koa makes 204 of an absent body, so the status comes last.
  ctx.status = response.status;
}

/** The key of the caller was checked before, so it is not passed on. */
function toRequest(ctx: Context, body: unknown, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (typeof value === 'string' && name !== 'authorization') headers.set(name, value);
  }
  return new Request(`http://localhost${MCP_PATH}`, {
    method: ctx.method,
    headers,
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Whether a stream belongs to no call, so that it ends only with the client or the service. */
function isOpenEnded(method: string, body: unknown): boolean {
  return method === 'GET' || (body as { readonly method?: unknown }).method === 'subscriptions/listen';
}

/**
 * Gives a stream a first chunk, a comment, because its first message may be far away and its headers are sent with it.
 * @param ends abort when the stream is to end
 */
async function* withFirstByte(
  body: ReadableStream<Uint8Array>,
  ends: readonly AbortSignal[],
): AsyncGenerator<string | Uint8Array> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  for (const end of ends) {
    if (end.aborted) cancel();
    else end.addEventListener('abort', cancel, { once: true });
  }
  try {
    yield ': open\n\n';
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    for (const end of ends) end.removeEventListener('abort', cancel);
    cancel();
  }
}

/**
 * Builds the JSON-RPC error of a request whose messages were not read: its JSON is malformed, or its caller may not send it.
 * Pure.
 */
function toErrorBody(error: HoldfastError): object {
  return {
    jsonrpc: '2.0',
    id: null,
    error: { code: numberOf(error), message: textOf(error), data: { code: error.code } },
  };
}

function numberOf({ code }: HoldfastError): ProtocolErrorCode {
  if (code === 'MALFORMED_JSON') return ProtocolErrorCode.ParseError;
  return ERROR_TABLE[code].status < 500 ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError;
}
