import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from './free-port';
import { makeTempDir } from './temp-dir';

const ROOT = resolve(__dirname, '..', '..');
const LAUNCHER = join(__dirname, 'neo4j', 'Launcher.java');
const START_LIMIT_MS = 120_000;
/** Enough for tests and quick to start, at the price of slower code later. */
const JVM = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** What a client needs to connect. */
export interface Neo4jAddress {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
}

/** A Neo4j server of its own: a real one, on a free port of this machine. */
export interface Neo4jServer extends Neo4jAddress {
  /** SIGKILL and wait. The data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after `kill`. */
  restart(): Promise<void>;
  /** Holds the server as it is: it accepts connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it and takes its data away. */
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
  const start = (): Promise<ChildProcess> => launch(jars, folder.path, port, password);
  let server = await start();
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    uri: `bolt://127.0.0.1:${port}`,
    username: 'neo4j',
    password,
    kill,
    async restart() {
      server = await start();
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
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

async function launch(jars: string, folder: string, port: number, password: string): Promise<ChildProcess> {
  const server = spawn('java', [...JVM, '-cp', join(jars, '*'), LAUNCHER, folder, String(port)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaints = '';
  server.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (complaints = (complaints + text).slice(-4_000)));
  // A server that is killed cannot read on.
  server.stdin.on('error', () => undefined);
  server.stdin.write(`${password}\n`);
  const timer = setTimeout(() => void server.kill('SIGKILL'), START_LIMIT_MS);
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      if (line === 'ready') return server;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`the Neo4j server did not start: ${complaints}`);
}
