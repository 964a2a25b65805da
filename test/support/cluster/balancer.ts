import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address in front of the APIs, in the place of the proxy of docker-compose.yml. */
export interface Balancer {
  readonly url: string;
  /** Accepts no new connections. Open ones end with the servers. */
  close(): void;
}

/** Connections go to one port after another, as bytes. A port that refuses a connection is skipped. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let next = 0;
  const listener = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => undefined);
    next = (next + 1) % ports.length;
    void forward(client, [...ports.slice(next), ...ports.slice(0, next)]);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    close: () => void listener.close(),
  };
}

async function forward(client: Socket, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    const server = connect({ host: '127.0.0.1', port });
    const connected = once(server, 'connect').then(
      () => true,
      () => false,
    );
    if (!(await connected)) continue;
    server.on('error', () => undefined).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
    return;
  }
  client.destroy();
}
