import type { AddedActivities } from '../worker/queue-activities';
import { type StartedWorker, startWorker, type WorkerPorts } from '../worker/start-worker';
import type { Foundation } from './foundation';
import type { Part } from './process';
import { createRecordActivities, createRecordImportFiles, createRecordStores } from '../packages/records';

/**
 * How long a worker may take beyond the grace time, ms: the SDK's forced shutdown, and closing what the worker used.
 */
const WORKER_FORCE_MS = 7_000;

export type WorkerStart = Pick<WorkerPorts, 'previous' | 'mayBegin' | 'isWholeService'>;

/** Starts a worker. It stops before the stores and services that it uses. */
export async function addWorker(
  { config, logger, release, fail }: Part,
  foundation: Foundation,
  start: WorkerStart = {},
): Promise<StartedWorker> {
  const recordStores = createRecordStores(config, foundation.metrics);
  release(() => recordStores.close());
  const addedActivities = (tenant: string): AddedActivities =>
    createRecordActivities({
      files: createRecordImportFiles(foundation.blobs, config, tenant),
      store: recordStores.of(tenant),
    });
  const worker = await startWorker({ config, logger, ...foundation, addedActivities, fail, ...start });
  release(() => worker.stop(), config.SHUTDOWN_GRACE_MS + WORKER_FORCE_MS);
  return worker;
}
