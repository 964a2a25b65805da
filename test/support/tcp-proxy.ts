import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a process and a server, by which a test can lose what the process sends. */
export interface TcpProxy {
  /** host:port */
  readonly address: string;
  /** From now on nothing that a client sends reaches the server; what the server sends still arrives. */
  holdRequests(): void;
  close(): Promise<void>;
}

/** Listens at `atPort`, by default at a free port. */
export async function startTcpProxy(target: string, atPort = 0): Promise<TcpProxy> {
  const [host, port] = target.split(':');
  const sockets = new Set<Socket>();
  let holding = false;
  const server = createServer((client) => {
    const upstream = connect({ host: host ?? '127.0.0.1', port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // A test may kill either end at any time.
      socket.on('error', () => undefined);
    }
    client.on('data', (data) => {
      if (!holding) upstream.write(data);
    });
    upstream.on('data', (data) => void client.write(data));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdRequests() {
      holding = true;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
