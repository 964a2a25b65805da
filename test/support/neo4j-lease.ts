import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Neo4jAddress, type Neo4jServer, startNeo4j } from './neo4j-server';
import { setTemporaryFolder } from './temp-dir';

/** The one Neo4j server, which suites use one after another, because its community edition has a single database. */
export interface Neo4jOffer {
  /** The port on which suites ask for the server. */
  readonly port: number;
  close(): Promise<void>;
}

/** Why no Neo4j server can be started here; undefined where one can. */
export function lackForNeo4j(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const lacking = ['java', 'mvn'].filter(
    (name) => !folders.some((folder) => isExecutable(join(folder, name))),
  );
  return lacking.length === 0 ? undefined : `${lacking.join(' and ')} not found on PATH`;
}

/**
 * Offers a server that is started when the first suite asks for it. A suite has the server as long as it holds its
 * connection, so the next suite gets it also where a suite is killed.
 */
export async function offerNeo4j(): Promise<Neo4jOffer> {
  const temporaryFolder = process.env['TMPDIR'];
  let server: Promise<Neo4jServer> | undefined;
  let turn = Promise.resolve();
  const waiting = new Set<Socket>();

  async function serve(socket: Socket): Promise<void> {
    const gone = new Promise<void>((settle) => socket.once('close', () => settle()));
    waiting.add(socket);
    const before = turn;
    turn = Promise.all([before, gone]).then(() => void waiting.delete(socket));
    await before;
    if (socket.destroyed) return;
    server ??= withTemporaryFolder(temporaryFolder, startNeo4j);
    const answer = await server.then(
      ({ uri, username, password }) => ({ address: { uri, username, password } }),
      (error: unknown) => ({ failure: String(error) }),
    );
    socket.write(`${JSON.stringify(answer)}\n`);
  }

  const listener = createServer((socket) => {
    // The connection of a killed suite breaks.
    socket.on('error', () => undefined);
    // Node.js notices the end of a connection only while it reads data.
    socket.resume();
    void serve(socket);
  });
  await new Promise<void>((settle) => listener.listen(0, '127.0.0.1', settle));
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      for (const socket of waiting) socket.destroy();
      listener.close();
      await (await server?.catch(() => undefined))?.stop();
    },
  };
}

/**
 * Starts something that outlives the suite that asks for it. Jest runs a single suite in the process of the global set-up,
 * whose temporary folder is then the suite's.
 */
async function withTemporaryFolder<T>(folder: string | undefined, start: () => Promise<T>): Promise<T> {
  const current = process.env['TMPDIR'];
  setTemporaryFolder(folder);
  try {
    return await start();
  } finally {
    setTemporaryFolder(current);
  }
}

export interface Neo4jLease {
  readonly address: Neo4jAddress;
  release(): void;
}

/** Waits until the suite may use the server offered on `port`. */
export async function leaseNeo4j(port: number): Promise<Neo4jLease> {
  const socket = connect({ port, host: '127.0.0.1' });
  for await (const line of createInterface({ input: socket })) {
    const { address, failure } = JSON.parse(line) as { address?: Neo4jAddress; failure?: string };
    if (address === undefined) throw new Error(`there is no Neo4j server: ${String(failure)}`);
    return { address, release: () => void socket.destroy() };
  }
  throw new Error('the global set-up ended');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
