import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { S3Settings } from '../../src/stores/blobs/s3/settings';
import { freePort } from '../../cluster/processes/free-port';
import { makeTempDir } from './temp-dir';
import { waitFor } from './wait';

const ROOT = resolve(__dirname, '..', '..');
const LAUNCHER = join(__dirname, 's3', 'Launcher.java');
const START_LIMIT_MS = 60_000;
/** Enough memory for tests, with compiler settings that start quickly and run slower code later. */
const JVM = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const BUCKET = 'holdfast-tests';

/** `describe`, skipped if no S3 server can be started, except in CI. It needs Java and Maven, as Neo4j does. */
export const describeWithS3 =
  process.env['HOLDFAST_TEST_NEO4J_LACKS'] === undefined ? describe : describe.skip;

/** Covers the first start on a machine, when Maven fetches the server. */
export const S3_WAIT_MS = 300_000;

/** A separate S3 server with one bucket, on a free port of this machine. */
export interface S3Server {
  readonly settings: S3Settings;
  /** The same values as settings of a process. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which the objects are files, named by their keys. */
  readonly folder: string;
  /** Kills it by SIGKILL and waits for its end. The objects stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port and objects, after `kill`. */
  restart(): Promise<void>;
  /** Pauses the server: it accepts connections and answers nothing. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends it and removes its objects. */
  stop(): Promise<void>;
}

/** Takes about three seconds. The server ends with this process, even if that is killed. */
export async function startS3(): Promise<S3Server> {
  const dir = makeTempDir();
  const port = await freePort();
  const jars = await libraries();
  const secretAccessKey = 'a secret of tests';
  const settings: S3Settings = {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'tests', secretAccessKey },
    prefix: '',
    forcePathStyle: true,
  };
  const start = (): Promise<ChildProcess> => launch(jars, dir.path, port, secretAccessKey);
  let server = await start();
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    settings,
    env: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'tests',
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    folder: join(dir.path, 'objects', BUCKET),
    kill,
    async restart() {
      server = await start();
    },
    async freeze() {
      server.kill('SIGSTOP');
      // The system stops one thread after the other, and one that still runs may answer a request.
      await waitFor(() => statesOf(server.pid ?? 0).every((state) => state === 'T'), {
        what: 'all threads of the server to stop',
      });
    },
    thaw: () => void server.kill('SIGCONT'),
    async stop() {
      await kill();
      dir.remove();
    },
  };
}

/** The state of each thread of a process, as in `proc(5)`. */
function statesOf(pid: number): (string | undefined)[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).map(
    (task) => /\) (\w)/.exec(readFileSync(join(tasks, task, 'stat'), 'utf8'))?.[1],
  );
}

async function libraries(): Promise<string> {
  const script = join(ROOT, 'scripts', 'setup', 's3proxy.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  return stdout;
}

async function launch(jars: string, folder: string, port: number, secret: string): Promise<ChildProcess> {
  const args = [...JVM, '-cp', join(jars, '*'), LAUNCHER, folder, String(port), BUCKET];
  const server = spawn('java', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  server.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (complaints = (complaints + text).slice(-4_000)));
  // A killed server cannot read further.
  server.stdin.on('error', () => undefined);
  server.stdin.write(`${secret}\n`);
  const timer = setTimeout(() => void server.kill('SIGKILL'), START_LIMIT_MS);
  try {
    // The output is read to its end, because a full pipe would block the server.
    for await (const line of createInterface({ input: server.stdout })) {
      if (line !== 'ready') continue;
      server.stdout.resume();
      return server;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`the S3 server did not start: ${complaints}`);
}
