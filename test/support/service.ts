import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { type Paths, pathsOf } from './http';
import { type PartProcess, type SpawnOptions, spawnPart } from './process';
import { makeTempDir } from './temp-dir';

/** Address of the Temporal server that all suites share. */
export function sharedTemporal(): string {
  const address = process.env['HOLDFAST_TEST_TEMPORAL'];
  if (address === undefined) throw new Error('the global set-up did not start a Temporal server');
  return address;
}

/** What a suite needs to know of a service that it shares with other suites. */
export interface SharedService extends Paths {
  readonly url: string;
  readonly recordsUrl: string;
  readonly dataDir: string;
  readonly taskQueue: string;
  /** Stops the service; if it is shared, ends this suite's use of it. */
  stop(): Promise<void>;
}

/** A service of one suite. */
export interface Service extends SharedService {
  readonly process: PartProcess;
}

/** A task queue for one service or stage. The name of the suite is in it, so that a run that is left shows whose it is. */
export function newTaskQueue(): string {
  return `test-${basename(expect.getState().testPath ?? '', '.test.ts')}-${randomUUID()}`;
}

/** Settings of a separate service on the shared Temporal server: random ports, folder and task queue. */
export function isolatedSettings(dataDir: string, taskQueue = newTaskQueue()): Record<string, string> {
  return {
    TEMPORAL_ADDRESS: sharedTemporal(),
    PORT: '0',
    RECORDS_PORT: '0',
    DATA_DIR: dataDir,
    TASK_QUEUE: taskQueue,
    SHUTDOWN_GRACE_MS: '3000',
  };
}

/** `npm start` without its development server, as a real process. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  options: Pick<SpawnOptions, 'root'> = {},
): Promise<Service> {
  const dir = makeTempDir();
  const settings = { ...isolatedSettings(dir.path, env['TASK_QUEUE']), ...env };
  const started = spawnPart('start', settings, options);
  const up = await started.line('holdfast is up').catch(async (error: unknown) => {
    await started.kill();
    dir.remove();
    throw error;
  });
  const url = String(up['api']);
  return {
    url,
    recordsUrl: String(up['records']),
    process: started,
    dataDir: dir.path,
    taskQueue: settings['TASK_QUEUE'] ?? '',
    ...pathsOf(url),
    async stop() {
      await started.stop();
      dir.remove();
    },
  };
}
