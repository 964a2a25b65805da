import { startApi } from '../api/start-api';
import type { HttpServer } from '../api/http/server';
import { startRecords } from '../api/start-records';
import type { StartedRun } from '../temporal/started-run';
import type { StartedWorker, WorkerPorts } from '../worker/start-worker';
import { startWorker } from '../worker/start-worker';
import { withinTime } from '../src/base/async/within-time';
import { createRecordsService } from '../src/records/create-records-service';
import { countedFailures } from '../src/stores/counted-failures';
import { createRecordStore } from '../src/factories/create-record-store';
import type { Foundation } from './foundation';
import { storePlace, usableAs } from './foundation';
import type { Part } from './process';
import { logReachOfRuns, warnOfExposure } from './reach';
import { onceThere } from './startup-wait';

/** What an HTTP server takes beyond the grace time for its last answers, at most, milliseconds. */
const LAST_ANSWERS_MS = 1_000;
/** What a worker takes beyond the grace time, at most: the SDK's forced end, and what closes after it. */
const WORKER_FORCE_MS = 7_000;

export type WorkerStart = Pick<WorkerPorts, 'previous' | 'mayBegin'>;

/** A worker that stops before what it stands on. */
export async function addWorker(
  { config, logger, release }: Part,
  foundation: Foundation,
  start: WorkerStart = {},
): Promise<StartedWorker> {
  const recordStore = countedFailures(createRecordStore(config), 'records', foundation.metrics);
  release(() => recordStore.close());
  const worker = await startWorker({ config, logger, ...foundation, recordStore, ...start });
  release(() => worker.stop(), config.SHUTDOWN_GRACE_MS + WORKER_FORCE_MS);
  return worker;
}

export interface ApiOptions {
  /** Whether a worker of this process may take a new run at once; absent: there is none. */
  readonly eagerStart?: () => boolean;
  /** Address of the Temporal UI; absent: answers carry no link. */
  readonly uiUrl: string | undefined;
}

/** The API; it stops first, so that no request meets a service half taken down. */
export async function addApi(
  part: Part,
  foundation: Foundation,
  { eagerStart, uiUrl }: ApiOptions,
): Promise<HttpServer> {
  const { config, logger, release, graceLeft } = part;
  const { engine } = foundation;
  logReachOfRuns(part);
  const server = await startApi({
    config,
    logger,
    ...foundation,
    eagerStart,
    ...(uiUrl === undefined
      ? {}
      : { runLink: (run: StartedRun) => runLink(uiUrl, engine.current().namespace, run) }),
  });
  release(() => server.close(graceLeft()), config.SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS);
  warnOfExposure(part, 'API', server.url);
  return server;
}

/** The records API on its store; imports are runs on the engine. */
export async function addRecords(
  part: Part,
  { engine, blobs, metrics }: Pick<Foundation, 'engine' | 'blobs' | 'metrics'>,
): Promise<HttpServer> {
  const { config, logger, release, graceLeft } = part;
  const store = countedFailures(createRecordStore(config), 'records', metrics);
  release(() => store.close());
  const place = storePlace(config);
  await usableAs(place.setting, () => onceThere(part, place, () => store.ping()));
  const records = createRecordsService(store);
  const server = await startRecords({ config, logger, engine, blobs, metrics, records });
  release(() => server.close(graceLeft()), config.SHUTDOWN_GRACE_MS);
  warnOfExposure(part, 'records API', server.url);
  return server;
}

function runLink(uiUrl: string, namespace: string, { workflowId, runId }: StartedRun): string {
  const base = uiUrl.replace(/\/+$/, '');
  return `${base}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}/history`;
}

const MOMENT_MS = 5_000;

/**
 * Waits for what is usually there at once, so that a process says that it is up when it can do its work. A server
 * that is away is no reason not to answer, so the wait is short.
 * @returns whether it came
 */
export async function upToAMoment(ready: Promise<unknown>): Promise<boolean> {
  const came = ready.then(
    () => true,
    () => false,
  );
  return withinTime(came, MOMENT_MS, () => false);
}
