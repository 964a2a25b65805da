import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { S3Settings } from '../../src/stores/blobs/s3/settings';
import { freePort } from './free-port';
import { createJavaServer } from './java-server';
import { makeTempDir } from './temp-dir';
import { waitFor } from './wait';

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

/** Takes about three seconds. */
export async function startS3(): Promise<S3Server> {
  const dir = makeTempDir();
  const port = await freePort();
  const secretAccessKey = 'a secret of tests';
  const settings: S3Settings = {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'tests', secretAccessKey },
    prefix: '',
    forcePathStyle: true,
  };
  const server = await createJavaServer({
    name: 's3proxy',
    folder: join(__dirname, 's3'),
    megabytes: 256,
    args: [dir.path, String(port), BUCKET],
    secret: secretAccessKey,
  });
  await server.start();
  return {
    settings,
    env: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'tests',
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    folder: join(dir.path, 'objects', BUCKET),
    kill: () => server.end(),
    restart: () => server.start(),
    async freeze() {
      process.kill(server.pid, 'SIGSTOP');
      // The system stops one thread after the other, and one that still runs may answer a request.
      await waitFor(() => statesOf(server.pid).every((state) => state === 'T'), {
        what: 'all threads of the server to stop',
      });
    },
    thaw: () => void process.kill(server.pid, 'SIGCONT'),
    async stop() {
      await server.end();
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
