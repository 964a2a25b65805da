import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { HoldfastError, messageOf } from '../../src/base/errors';
import type { RequestState } from './request-state';

/** An idle connection is kept open this long, milliseconds: longer than the balancers in front usually do. */
const KEEP_ALIVE_MS = 65_000;
const IDLE_SWEEP_MS = 50;

/** What a connection may take beside the bodies that are read, which have limits of their own (body-pace.ts). Milliseconds. */
export interface ConnectionLimits {
  /** For the headers of a request. */
  readonly headersMs: number;
  /** For the rest of a body that was not read before the answer was out. */
  readonly unreadBodyMs: number;
  /** Between two looks at connections whose headers are late. */
  readonly checkEveryMs: number;
}

const CONNECTION_LIMITS: ConnectionLimits = { headersMs: 60_000, unreadBodyMs: 30_000, checkEveryMs: 15_000 };

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The setting that gave the port, for the error text. */
  readonly portSetting: string;
  /** Default: as long as a caller over a slow line needs. */
  readonly limits?: ConnectionLimits;
}

export interface HttpServer {
  /** As in `http://127.0.0.1:3000`. */
  readonly url: string;
  connections(): Promise<number>;
  /** Takes no new requests, waits up to `graceMs` for those under way, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/** @throws HoldfastError `CONFIGURATION` where the address cannot be listened on */
export async function listen(app: Koa<RequestState>, options: ListenOptions): Promise<HttpServer> {
  const handle = app.callback();
  const pending = new Set<ServerResponse>();
  const { headersMs, unreadBodyMs, checkEveryMs } = options.limits ?? CONNECTION_LIMITS;
  // Node.js ends every request after 300 s by default, also one whose body is large and still coming.
  const patience = {
    requestTimeout: 0,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkEveryMs,
  };
  const server = createServer(patience, (request, response) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
    response.once('finish', () => boundUnreadBody(request, unreadBodyMs));
    if (!server.listening) endConnectionAfter(response);
    void handle(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  const address = bareAddress(options.host);
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
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

/** A caller that writes all of a body before it reads the answer is let do so, for a while. */
function boundUnreadBody(request: IncomingMessage, limitMs: number): void {
  if (request.complete) return;
  const limit = setTimeout(() => request.destroy(), limitMs);
  request.once('close', () => clearTimeout(limit));
}

/** Or a client would send its next request on a connection that is about to be closed. */
function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** An IPv6 address without the brackets it has in a URL. */
function bareAddress(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
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
    server.listen(port, bareAddress(host), resolve);
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // A kept-alive connection becomes idle when its last answer is out, which may be after the call to close.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(idle);
      resolve();
    });
  });
}
