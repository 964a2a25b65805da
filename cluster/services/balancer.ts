import { get } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { HoldfastError, messageOf } from '../../src/base/errors';

const CONNECT_LIMIT_MS = 2_000;
const LOOK_EVERY_MS = 2_000;
/** A server that takes longer to say that it lives has hung, or is as good as that. */
const LOOK_LIMIT_MS = 1_500;
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

interface Server {
  readonly url: URL;
  /** Whether it did the last time that it was asked. A new one is taken to. */
  answers: boolean;
}

export interface BalancerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/**
 * It passes bytes on and reads none, so that streams, uploads and what comes later in HTTP are no matter to it. A server
 * that does not take the connection is skipped; where all are, the caller gets a 503. One that takes connections and does
 * not answer, as it is asked for /livez every two seconds, gets new ones only where no other takes them.
 *
 * @throws HoldfastError `CONFIGURATION` where the address cannot be listened on
 */
export async function startBalancer({ host, port }: BalancerOptions): Promise<Balancer> {
  const servers = new Map<string, Server>();
  let turn = 0;

  /** All servers, beginning with the one whose turn it is; those that do not answer come last. */
  function inTurn(): Server[] {
    const all = [...servers.values()];
    const well = all.filter(({ answers }) => answers);
    turn += 1;
    const first = turn % Math.max(well.length, 1);
    return [...well.slice(first), ...well.slice(0, first), ...all.filter(({ answers }) => !answers)];
  }

  async function serve(client: Socket): Promise<void> {
    for (const { url } of inTurn()) {
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
  const looking = setInterval(() => {
    for (const server of servers.values())
      void doesAnswer(server.url).then((does) => (server.answers = does));
  }, LOOK_EVERY_MS).unref();
  return {
    port: (listener.address() as AddressInfo).port,
    set(name, url) {
      if (url === undefined) servers.delete(name);
      else servers.set(name, { url: new URL(url), answers: true });
    },
    close() {
      clearInterval(looking);
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

/** Whatever the answer is: a server that is stopping says so itself. */
function doesAnswer(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(LOOK_LIMIT_MS);
    // On a connection of its own, as those of callers are.
    get(new URL('/livez', url), { agent: false, signal }, (response) => {
      response.on('error', () => undefined).resume();
      resolve(true);
    }).on('error', () => resolve(false));
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
