import { get } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { HoldfastError, messageOf } from '../../src/base/errors';

const CONNECT_LIMIT_MS = 2_000;
const CHECK_EVERY_MS = 2_000;
/** A server that takes longer to answer the probe counts as hung. */
const CHECK_LIMIT_MS = 1_500;
const NO_API = {
  success: false,
  error: 'Service unavailable',
  message: 'No API process is up; try again in a moment',
  code: 'UNHEALTHY',
  title: 'System is unhealthy',
  detail: 'No API process is up; try again in a moment',
};

/** One address in front of several servers. It hands connections to the servers in rotation. */
export interface Balancer {
  readonly port: number;
  /** Sets the address of a server, such as http://127.0.0.1:3000; undefined while it is not running. */
  set(name: string, url: string | undefined): void;
  /** Accepts no new connections. Open ones end with the servers. */
  close(): void;
}

interface Server {
  readonly url: URL;
  /** Whether the server answered the last probe. A new server counts as answering. */
  answers: boolean;
}

export interface BalancerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/**
 * Starts the balancer. It forwards bytes without reading them, so that it supports streams, uploads and any version
 * of HTTP. It skips a server that refuses the connection; if all do, the caller gets a 503. It requests /livez
 * from each server every two seconds. A server that does not answer gets new connections only if no other server
 * accepts them.
 *
 * @throws HoldfastError `CONFIGURATION` if it cannot listen on the address
 */
export async function startBalancer({ host, port }: BalancerOptions): Promise<Balancer> {
  const servers = new Map<string, Server>();
  let next = 0;

  /** All servers in rotation, beginning with the next one. Servers that do not answer the probe come last. */
  function orderServers(): Server[] {
    const all = [...servers.values()];
    const well = all.filter(({ answers }) => answers);
    next += 1;
    const first = next % Math.max(well.length, 1);
    return [...well.slice(first), ...well.slice(0, first), ...all.filter(({ answers }) => !answers)];
  }

  async function serve(client: Socket): Promise<void> {
    for (const { url } of orderServers()) {
      const server = await connectTo(url);
      if (server === undefined) continue;
      connectSockets(client, server);
      return;
    }
    refuse(client);
  }

  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    // A caller may close its connection at any time.
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
  const checking = setInterval(() => {
    for (const server of servers.values())
      void doesAnswer(server.url).then((does) => (server.answers = does));
  }, CHECK_EVERY_MS).unref();
  return {
    port: (listener.address() as AddressInfo).port,
    set(name, url) {
      if (url === undefined) servers.delete(name);
      else servers.set(name, { url: new URL(url), answers: true });
    },
    close() {
      clearInterval(checking);
      listener.close();
    },
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

/** Whether a server answers the probe, with any status: a server that is stopping reports that to callers itself. */
function doesAnswer(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(CHECK_LIMIT_MS);
    // Each probe uses a new connection, like the connections of callers.
    get(new URL('/livez', url), { agent: false, signal }, (response) => {
      response.on('error', () => undefined).resume();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

function connectSockets(client: Socket, server: Socket): void {
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
  client.pipe(server).pipe(client);
}

function refuse(client: Socket): void {
  const body = JSON.stringify(NO_API);
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
