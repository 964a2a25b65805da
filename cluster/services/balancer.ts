import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { HoldfastError, messageOf } from '../../src/errors';

const CONNECT_LIMIT_MS = 2_000;
const NOBODY = {
  success: false,
  error: 'Service unavailable',
  message: 'No API process is up; try again in a moment',
};

/** One address in front of several servers: connections go to one after another. */
export interface Balancer {
  readonly port: number;
  /** Where the server of this name listens now, as in http://127.0.0.1:3000; undefined while there is none. */
  set(name: string, url: string | undefined): void;
  /** Takes no new connections. Those that are there end with the servers. */
  close(): void;
}

export interface BalancerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/**
 * It passes bytes on and reads none, so that streams, uploads and what comes later in HTTP are no matter to it. A server
 * that does not take the connection is skipped; where all are, the caller gets a 503.
 *
 * @throws HoldfastError `CONFIGURATION` where the address cannot be listened on
 */
export async function startBalancer({ host, port }: BalancerOptions): Promise<Balancer> {
  const servers = new Map<string, URL>();
  let turn = 0;

  /** All servers, beginning with the one whose turn it is. */
  function inTurn(): URL[] {
    const all = [...servers.values()];
    turn = all.length === 0 ? 0 : (turn + 1) % all.length;
    return [...all.slice(turn), ...all.slice(0, turn)];
  }

  async function serve(client: Socket): Promise<void> {
    for (const url of inTurn()) {
      const server = await connectTo(url);
      if (server === undefined) continue;
      join(client, server);
      return;
    }
    refuse(client);
  }

  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    // A caller may go at any moment.
    client.on('error', () => undefined);
    void serve(client);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'it is in use' : messageOf(error);
      reject(new HoldfastError('CONFIGURATION', `Port ${port} on ${host} (PORT) cannot be used: ${reason}`));
    });
    listener.listen(port, host, resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    set(name, url) {
      if (url === undefined) servers.delete(name);
      else servers.set(name, new URL(url));
    },
    close: () => void listener.close(),
  };
}

function connectTo({ hostname, port }: URL): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const server = connect({ host, port: Number(port), allowHalfOpen: true });
    const give = (socket: Socket | undefined) => () => {
      clearTimeout(timer);
      if (socket === undefined) server.destroy();
      resolve(socket);
    };
    const timer = setTimeout(give(undefined), CONNECT_LIMIT_MS);
    server.once('connect', give(server)).on('error', give(undefined));
  });
}

function join(client: Socket, server: Socket): void {
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
  client.pipe(server).pipe(client);
}

function refuse(client: Socket): void {
  const body = JSON.stringify(NOBODY);
  const head = [
    'HTTP/1.1 503 Service Unavailable',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Retry-After: 1',
    'Connection: close',
  ];
  client.resume();
  client.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => client.destroySoon());
}
