import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import { type QueueKind, queueName } from '../src/contracts/queues';
import type { Logger } from '../src/base/logger';
import { beforeDeadline } from '../temporal/deadline';
import type { Engine, EngineConnection } from '../temporal/engine';
import { readPolls, takesNewRuns } from '../temporal/task-queues';
import { findBundle } from './bundle';
import { type SupervisedWorker, superviseWorker } from './supervise-worker';
import { workerOptions, type WorkerPorts } from './worker-options';
import type { GuardedWorker, WorkerGuard } from './worker-guard';

const SEEN_LIMIT_MS = 3_000;
const SEEN_AGAIN_MS = 20;

export interface RunWorkersPorts extends WorkerPorts {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly guard: WorkerGuard;
  /** No worker polls before this resolves. */
  readonly mayBegin?: Promise<void> | undefined;
  /** Called with the reason when this process can run no worker of a queue any more. */
  readonly fail: (reason: string) => void;
}

/**
 * Runs a worker for each queue of WORKER_QUEUES on the engine's connection. They count as one: `polling` resolves
 * when all of them poll, and they stop within the same grace time.
 * @throws HoldfastError `CONFIGURATION` where the project was not built
 */
export function runWorkers(ports: RunWorkersPorts): SupervisedWorker {
  const { config, engine, logger, mayBegin, fail } = ports;
  const kinds = config.WORKER_QUEUES;
  if (kinds.includes('workflows')) findBundle();
  const workers = kinds.map((kind) =>
    superviseWorker({
      engine,
      logger,
      taskQueue: queueName(config.TASK_QUEUE, kind),
      create: (connection) => createWorker(ports, kind, connection),
      mayBegin,
      fail,
    }),
  );
  return {
    polling: Promise.all(workers.map(({ polling }) => polling)).then(() => waitUntilSeen(ports)),
    isPolling: () => workers.every((worker) => worker.isPolling()),
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/**
 * Creates the worker of one queue. No worker polls before the process has counted the notes that dead processes left.
 */
async function createWorker(
  ports: RunWorkersPorts,
  kind: QueueKind,
  connection: EngineConnection,
): Promise<GuardedWorker> {
  await ports.guard.recover(connection);
  const options = workerOptions(ports, kind, connection);
  if (kind === 'workflows') return ports.guard.create(options, connection);
  return { worker: await Worker.create(options), release: () => Promise.resolve() };
}

/**
 * Waits until the server lists this process's pollers, because health reports them from then on. After SEEN_LIMIT_MS
 * it returns all the same: the worker takes tasks also where the server cannot list them.
 */
async function waitUntilSeen({ config, engine, logger }: RunWorkersPorts): Promise<void> {
  const { TASK_QUEUE, WORKER_QUEUES, identity } = config;
  const connection = engine.current();
  const passedOver = new Set<string>();
  const isSeen = async (kind: QueueKind): Promise<boolean> => {
    const polls = await readPolls(connection, TASK_QUEUE, kind);
    const own = polls.pollers.find((poller) => poller.identity === identity);
    if (own !== undefined && !takesNewRuns(own, polls)) passedOver.add(polls.taskQueue);
    return own !== undefined;
  };
  await beforeDeadline(connection.native, Date.now() + SEEN_LIMIT_MS, async () => {
    while (!(await Promise.all(WORKER_QUEUES.map(isSeen))).every(Boolean)) await delay(SEEN_AGAIN_MS);
  }).catch(() => undefined);
  if (passedOver.size > 0) {
    logger.warn(
      { taskQueues: [...passedOver] },
      'new runs start on another build than that of this worker until this one is promoted with npm run deploy',
    );
  }
}
