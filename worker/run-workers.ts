import { queueName } from '../src/contracts/queues';
import type { Logger } from '../src/logger';
import type { Engine } from '../temporal/engine';
import { findBundle } from './bundle';
import type { SupervisedWorker } from './supervise-worker';
import { superviseWorker } from './supervise-worker';
import type { WorkerPorts } from './worker-options';
import { workerOptions } from './worker-options';

export interface RunWorkersPorts extends WorkerPorts {
  readonly engine: Engine;
  readonly logger: Logger;
}

/**
 * Runs a worker for each queue of WORKER_QUEUES, all on the engine's connection, as one: they poll when all do, and stop
 * within the same grace time.
 * @throws HoldfastError `CONFIGURATION` where the project was not built
 */
export function runWorkers(ports: RunWorkersPorts): SupervisedWorker {
  const { config, engine, logger } = ports;
  const kinds = config.WORKER_QUEUES;
  if (kinds.includes('workflows')) findBundle();
  const workers = kinds.map((kind) =>
    superviseWorker({
      engine,
      logger,
      taskQueue: queueName(config.TASK_QUEUE, kind),
      options: (connection) => workerOptions(ports, kind, connection),
    }),
  );
  return {
    polling: Promise.all(workers.map(({ polling }) => polling)).then(() => undefined),
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
