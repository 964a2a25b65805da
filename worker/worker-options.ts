import type { DataConverter } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../src/settings/config';
import { type QueueKind, queueName } from '../src/contracts/queues';
import type { EngineConnection } from '../temporal/engine';
import { createActivityInterceptor } from './activity-interceptor';
import { findBundle } from './bundle';
import { deploymentOptions } from './deployment';
import { type Activities, selectActivities } from './queue-activities';
import { withPlaces } from './step-places';
import { workerTuning } from './tuning';

/** Model calls wait for each other within their worker: at the server, a wait looks as if no worker took them. */
function placedActivities(
  kind: QueueKind,
  activities: Activities,
  { WORKER_MAX_MODEL_ACTIVITIES }: Config,
): Partial<Activities> {
  const selected = selectActivities(kind, activities);
  return kind === 'models' ? withPlaces(selected, WORKER_MAX_MODEL_ACTIVITIES) : selected;
}

export interface WorkerPorts {
  readonly config: Config;
  readonly dataConverter: DataConverter;
  readonly activities: Activities;
}

/**
 * Builds the options of the worker of one queue. Only the worker of workflows gets the workflow bundle.
 * @throws HoldfastError `CONFIGURATION` where the project was not built
 */
export function workerOptions(
  { config, dataConverter, activities }: WorkerPorts,
  kind: QueueKind,
  { native, namespace }: EngineConnection,
): WorkerOptions {
  return {
    connection: native,
    namespace,
    taskQueue: queueName(config.TASK_QUEUE, kind),
    activities: placedActivities(kind, activities, config),
    ...(kind === 'workflows' ? { workflowBundle: findBundle() } : {}),
    identity: config.identity,
    dataConverter,
    interceptors: { activity: [(context) => ({ inbound: createActivityInterceptor(context) })] },
    ...workerTuning(config, kind),
    ...deploymentOptions(config),
  };
}
