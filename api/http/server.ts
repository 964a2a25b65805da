import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { HoldfastError, messageOf } from '../../src/base/errors';
import { listeningUrl } from '../../src/base/http/listening-url';
import type { RequestState } from './request-state';

/** An idle connection is kept open this long, milliseconds, which is longer than load balancers usually do. */
const KEEP_ALIVE_MS = 65_000;
const IDLE_SWEEP_MS = 50;

/** Time limits of a connection, milliseconds. Bodies that are read have separate limits (body-pace.ts). */
export interface ConnectionLimits {
  /** Limit for the headers of a request. */
  readonly headersMs: number;
  /** Limit for the rest of a body that was not read when the response was sent. */
  readonly unreadBodyMs: number;
  /** Interval between checks for connections whose headers are late. */
  readonly checkEveryMs: number;
}

const CONNECTION_LIMITS: ConnectionLimits = { headersMs: 60_000, unreadBodyMs: 30_000, checkEveryMs: 15_000 };

export interface ListenOptions {
  /** A name, or an address without brackets. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The setting that the port comes from, for error messages. */
  readonly portSetting: string;
  /** The default allows for callers with a slow connection. */
  readonly limits?: ConnectionLimits;
}

export interface HttpServer {
  /** As in `http://127.0.0.1:3000`. */
  readonly url: string;
  connections(): Promise<number>;
  /** Accepts no new requests, waits up to `graceMs` for those in progress, then closes their connections. */
  close(graceMs: number): Promise<void>;
}

/** Starts an HTTP server. @throws HoldfastError `CONFIGURATION` if it cannot listen on the address */
export async function listen(app: Koa<RequestState>, options: ListenOptions): Promise<HttpServer> {
  const handle = app.callback();
  const pending = new Set<ServerResponse>();
  const { headersMs, unreadBodyMs, checkEveryMs } = options.limits ?? CONNECTION_LIMITS;
  // By default Node.js ends every request after 300 s, even one whose large body is still arriving.
  const timeouts = {
    requestTimeout: 0,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkEveryMs,
  };
  const server = createServer(timeouts, (request, response) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
    response.once('finish', () => boundUnreadBody(request, unreadBodyMs));
    if (!server.listening) endConnectionAfter(response);
    request.url = toOriginForm(request.url ?? '');
    void handle(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: listeningUrl(options.host, port),
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: (graceMs) => {
      for (const response of pending) endConnectionAfter(response);
      return close(server, graceMs);
    },
  };
}

/**
 * Reduces the target of a request to its path and query, as RFC 9112, 3.2.2 requires for one with scheme and host. Koa would
 * parse such a target, and find no path in it, or throw where no handler catches it. Pure.
 */
function toOriginForm(target: string): string {
  const path = target.replace(/^[^/?#]*:\/\/[^/?#]*/, '').replace(/#.*/, '');
  return path === '*' || path.startsWith('/') ? path : `/${path}`;
}

/** Gives a caller that sends its whole body before it reads the response a limited time to do so. */
function boundUnreadBody(request: IncomingMessage, limitMs: number): void {
  if (request.complete) return;
  const limit = setTimeout(() => request.destroy(), limitMs);
  // After the response, Node.js does not close the request with its connection any more.
  for (const closing of [request, request.socket]) closing.once('close', () => clearTimeout(limit));
}

/** Announces the close of a connection, so that the client does not send its next request on it. */
function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function bind(server: Server, { host, port, portSetting }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} (${portSetting}) is in use; set ${portSetting} to a free port or stop what listens there`
          : `Cannot listen on ${host}:${port} (HOST, ${portSetting}): ${messageOf(error)}`;
      reject(new HoldfastError('CONFIGURATION', reason));
    });
    server.listen(port, host, resolve);
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // A kept-alive connection becomes idle when its last response is sent, which may be after the call to close.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(idle);
      resolve();
    });
  });
}
