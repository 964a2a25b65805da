import { join } from 'node:path';
import { freePort } from './free-port';
import { createJavaServer } from './java-server';
import { makeTempDir } from './temp-dir';

const PAGE_CACHE_MEGABYTES = 32;

/** What a client needs to connect. */
export interface Neo4jAddress {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
}

/** A separate, real Neo4j server on a free port of this machine. */
export interface Neo4jServer extends Neo4jAddress {
  /** Kills it by SIGKILL and waits for its end. The data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after `kill`. */
  restart(): Promise<void>;
  /** Pauses the server: it accepts connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Takes about ten seconds, and minutes the first time on a machine, when Maven fetches the server. */
export async function startNeo4j({ password = 'a password of tests' } = {}): Promise<Neo4jServer> {
  const folder = makeTempDir();
  const port = await freePort();
  const server = await createJavaServer({
    name: 'neo4j',
    folder: join(__dirname, 'neo4j'),
    megabytes: 512,
    args: [join(folder.path, 'server'), String(port), String(PAGE_CACHE_MEGABYTES)],
    secret: password,
  });
  await server.start();
  return {
    uri: `bolt://127.0.0.1:${port}`,
    username: 'neo4j',
    password,
    kill: () => server.end(),
    restart: () => server.start(),
    freeze: () => void process.kill(server.pid, 'SIGSTOP'),
    thaw: () => void process.kill(server.pid, 'SIGCONT'),
    async stop() {
      await server.end();
      folder.remove();
    },
  };
}
