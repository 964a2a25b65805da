import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startNeo4j as startServer } from '../../cluster/neo4j/start-neo4j';
import { recordLeftovers } from '../../cluster/processes/leftovers';
import { freePort } from '../../cluster/processes/free-port';
import { makeTempDir } from './temp-dir';

const ROOT = resolve(__dirname, '..', '..');
/** Enough memory for tests, with compiler settings that start quickly and run slower code later. */
const JVM = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

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

/**
 * Takes about ten seconds, and minutes the first time on a machine, when Maven fetches the server. It ends with this
 * process, whatever happens to that.
 */
export async function startNeo4j({ password = 'a password of tests' } = {}): Promise<Neo4jServer> {
  const folder = makeTempDir();
  const port = await freePort();
  const jars = await librariesOfNeo4j();
  const start = (): ReturnType<typeof startServer> =>
    startServer({
      libraries: jars,
      folder: join(folder.path, 'server'),
      port,
      password,
      virtualMachine: JVM,
      pageCacheMegabytes: 32,
      leftovers: recordLeftovers(join(folder.path, 'processes.json')),
    });
  let server = await start();
  const send = (signal: NodeJS.Signals): void => void process.kill(server.pid, signal);
  let running = true;
  const kill = async (): Promise<void> => {
    if (!running) return;
    running = false;
    send('SIGKILL');
    await server.ended;
  };
  return {
    uri: `bolt://127.0.0.1:${port}`,
    username: 'neo4j',
    password,
    kill,
    async restart() {
      server = await start();
      running = true;
    },
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    async stop() {
      await kill();
      folder.remove();
    },
  };
}

async function librariesOfNeo4j(): Promise<string> {
  const script = join(ROOT, 'scripts', 'setup', 'neo4j.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  return stdout;
}
