import type { DataConverter } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../src/settings/config';
import { type QueueKind, queueName } from '../src/contracts/queues';
import type { EngineConnection } from '../temporal/engine';
import { createActivityInterceptor } from './activity-interceptor';
import { findBundle } from './bundle';
import { deploymentOptions } from './deployment';
import { type Activities, selectActivities } from './queue-activities';
import { workerTuning } from './tuning';

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
    activities: selectActivities(kind, activities),
    ...(kind === 'workflows' ? { workflowBundle: findBundle() } : {}),
    identity: config.identity,
    dataConverter,
    interceptors: { activity: [(context) => ({ inbound: createActivityInterceptor(context) })] },
    ...workerTuning(config, kind),
    ...deploymentOptions(config),
  };
}
