import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTemporaryFolder } from './temp-dir';

/** Something that the process of the global set-up gives to suites, which run in other processes. */
export interface Offer {
  /** The port on which suites ask for it. */
  readonly port: number;
  /** Takes it from the suites that still have it. */
  close(): void;
}

/** A request for an offer. */
export interface Asked {
  readonly request: unknown;
  /** Whether the suite has given it back, or was killed. */
  isOver(): boolean;
  /** Resolves when the suite gives it back, even if the suite is killed. */
  readonly over: Promise<void>;
}

/**
 * Answers each suite that asks on a free port of this machine. A suite has what it is given as long as it holds its connection,
 * so what a killed suite had is free again.
 *
 * @param answer may wait until the suite can have it
 */
export async function openOffer(answer: (asked: Asked) => Promise<object>): Promise<Offer> {
  const sockets = new Set<Socket>();

  async function serve(socket: Socket): Promise<void> {
    const over = new Promise<void>((settle) => socket.once('close', () => settle()));
    sockets.add(socket);
    void over.then(() => sockets.delete(socket));
    const request = await new Promise<string>((settle) => readLine(socket, settle));
    const given = await answer({ request: JSON.parse(request), isOver: () => socket.destroyed, over }).then(
      (value) => ({ value }),
      (error: unknown) => ({ failure: String(error) }),
    );
    if (!socket.destroyed) socket.write(`${JSON.stringify(given)}\n`);
  }

  const listener = createServer((socket) => {
    // The connection of a killed suite breaks.
    socket.on('error', () => undefined);
    void serve(socket);
  });
  await new Promise<void>((settle) => listener.listen(0, '127.0.0.1', settle));
  return {
    port: (listener.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

/** What a suite was given, until it gives it back. */
export interface Lease<T> {
  readonly value: T;
  release(): void;
}

/** Asks for what the global set-up offers on `port`, and waits until the suite may use it. */
export async function askFor<T>(port: number, request: unknown = {}): Promise<Lease<T>> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(`${JSON.stringify(request)}\n`);
  const line = await new Promise<string>((settle, refuse) => {
    readLine(socket, settle);
    socket.once('close', () => refuse(new Error('the global set-up ended')));
  });
  const { value, failure } = JSON.parse(line) as { value?: T; failure?: string };
  if (value === undefined) {
    socket.destroy();
    throw new Error(`the global set-up did not provide it: ${String(failure)}`);
  }
  return { value, release: () => void socket.destroy() };
}

/** Reads the one line that the other end sends, and then goes on reading, so that Node.js notices the end of the connection. */
function readLine(socket: Socket, onLine: (line: string) => void): void {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.endsWith('\n')) onLine(text);
  });
}

/**
 * Starts something that outlives the suite that asks for it. Jest runs a single suite in the process of the global set-up,
 * whose temporary folder is then the suite's.
 */
export async function withTemporaryFolder<T>(
  folder: string | undefined,
  start: () => Promise<T>,
): Promise<T> {
  const current = process.env['TMPDIR'];
  setTemporaryFolder(folder);
  try {
    return await start();
  } finally {
    setTemporaryFolder(current);
  }
}
