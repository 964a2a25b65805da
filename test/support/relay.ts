import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that stays, behind which the server changes. */
export interface Relay {
  /** host:port */
  readonly address: string;
  /** From now on, new connections go to this port of this machine. */
  connectTo(port: number): void;
  /** Cuts all connections, and refuses new ones until `connectTo`. */
  disconnect(): void;
  close(): Promise<void>;
}

export async function startRelay(): Promise<Relay> {
  const sockets = new Set<Socket>();
  let target: number | undefined;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (target === undefined) return void client.destroy();
    const upstream = connect({ port: target, host: '127.0.0.1' });
    upstream.on('error', () => undefined);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const disconnect = (): void => {
    target = undefined;
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connectTo(port) {
      target = port;
    },
    disconnect,
    close: () =>
      new Promise((settle) => {
        disconnect();
        server.close(() => settle());
      }),
  };
}
