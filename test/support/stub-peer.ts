import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface StubPeer {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly requests: readonly PeerRequest[];
  count(path: string): number;
  /** Cuts all connections and takes none, until `resume`. */
  suspend(): Promise<void>;
  /** Listens at the same address again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export type PeerHandler = (request: PeerRequest, response: ServerResponse) => void | Promise<void>;

/**
 * An HTTP server that a test programs and that counts requests. One that is to be resumed needs a port of `freePort`.
 */
export async function startStubPeer(handler: PeerHandler, atPort = 0): Promise<StubPeer> {
  const requests: PeerRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(request);
      void handler(request, response);
    });
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(atPort);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    count: (path) => requests.filter((request) => request.path === path).length,
    suspend: close,
    resume: () => listen(port),
    close,
  };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
