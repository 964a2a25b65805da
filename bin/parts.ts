import type { McpAdditions } from '../api/mcp/mcp-additions';
import { startApi } from '../api/start-api';
import type { HttpServer } from '../api/http/server';
import { startRecords } from '../api/start-records';
import type { StartedRun } from '../temporal/started-run';
import type { StartedWorker, WorkerPorts } from '../worker/start-worker';
import { startWorker } from '../worker/start-worker';
import { withinTime } from '../src/base/async/within-time';
import { countedRecordStores } from '../src/stores/records/counted-record-stores';
import { createRecordStores } from '../src/factories/create-record-stores';
import type { Authentication } from './authentication';
import type { Foundation } from './foundation';
import { storePlace, blameSetting } from './foundation';
import type { Part } from './process';
import { logEgressOfRuns, warnOfExposure } from './exposure';
import { retryWhileAway } from './startup-wait';

/** How long an HTTP server may take beyond the grace time to send its last answers, ms. */
const LAST_ANSWERS_MS = 1_000;
/**
 * How long a worker may take beyond the grace time, ms: the SDK's forced shutdown, and closing what the worker used.
 */
const WORKER_FORCE_MS = 7_000;

export type WorkerStart = Pick<WorkerPorts, 'previous' | 'mayBegin'>;

/** Starts a worker. It stops before the stores and services that it uses. */
export async function addWorker(
  { config, logger, release }: Part,
  foundation: Foundation,
  start: WorkerStart = {},
): Promise<StartedWorker> {
  const recordStores = countedRecordStores(createRecordStores(config), foundation.metrics);
  release(() => recordStores.close());
  const worker = await startWorker({ config, logger, ...foundation, recordStores, ...start });
  release(() => worker.stop(), config.SHUTDOWN_GRACE_MS + WORKER_FORCE_MS);
  return worker;
}

export interface ApiOptions {
  /** Whether a worker of this process may take a new run at once; absent where the process has no worker. */
  readonly eagerStart?: () => boolean;
  /** Address of the Temporal UI. Where it is undefined, answers carry no link. */
  readonly uiUrl: string | undefined;
  readonly mcpAdditions?: McpAdditions;
}

/** Starts the API. It stops before all other parts, so that no request reaches a service that is partly stopped. */
export async function addApi(
  part: Part,
  foundation: Foundation & Authentication,
  { eagerStart, uiUrl, mcpAdditions }: ApiOptions,
): Promise<HttpServer> {
  const { config, logger, release, graceLeft } = part;
  const { engine } = foundation;
  logEgressOfRuns(part);
  const server = await startApi({
    config,
    logger,
    ...foundation,
    eagerStart,
    mcpAdditions,
    ...(uiUrl === undefined
      ? {}
      : { runLink: (run: StartedRun) => runLink(uiUrl, engine.current().namespace, run) }),
  });
  release(() => server.close(graceLeft()), config.SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS);
  warnOfExposure(part, 'API', server.url);
  return server;
}

/** Opens the stores of records and starts the records API on it. The engine runs its imports. */
export async function addRecords(
  part: Part,
  {
    engine,
    blobs,
    metrics,
    authenticator,
    pseudonyms,
  }: Pick<Foundation, 'engine' | 'blobs' | 'metrics' | 'pseudonyms'> & Authentication,
): Promise<HttpServer> {
  const { config, logger, release, graceLeft } = part;
  const stores = countedRecordStores(createRecordStores(config), metrics);
  release(() => stores.close());
  const place = storePlace(config);
  await blameSetting(place.setting, () => retryWhileAway(part, place, () => stores.ping()));
  const server = await startRecords({
    config,
    logger,
    engine,
    blobs,
    metrics,
    stores,
    authenticator,
    pseudonyms,
  });
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
 * Waits up to MOMENT_MS for a server, so that a process usually reports that it is up once it can do its work. The
 * wait is short, because the process answers requests also while the server is away.
 * @returns whether `ready` was resolved in that time
 */
export async function waitBriefly(ready: Promise<unknown>): Promise<boolean> {
  const came = ready.then(
    () => true,
    () => false,
  );
  return withinTime(came, MOMENT_MS, () => false);
}
