import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../src/config';
import { messageOf } from '../src/errors';
import type { Logger } from '../src/logger';
import type { Engine, EngineConnection } from '../temporal/engine';
import { createActivityInterceptor } from './activity-interceptor';
import { findBundle } from './bundle';
import { deploymentOptions } from './deployment';
import { workerTuning } from './tuning';

const RESTART_DELAY_MS = 1_000;
/** A stop waits no longer than this for a worker that is not made yet: the server may have gone meanwhile. */
const CREATE_STOP_LIMIT_MS = 2_000;

export interface WorkerOptions {
  readonly config: Config;
  readonly engine: Engine;
  readonly dataConverter: DataConverter;
  readonly activities: object;
  readonly logger: Logger;
}

export interface RunningWorker {
  /** Resolves when the worker polls for the first time. */
  readonly polling: Promise<void>;
  /** Stops taking work, lets what is under way finish within the grace time, hands back the rest. */
  stop(): Promise<void>;
}

/**
 * Runs a worker as soon as the engine is there, and a new one should it end by itself.
 * @throws HoldfastError `CONFIGURATION` where the project was not built
 */
export function runWorker(options: WorkerOptions): RunningWorker {
  const { engine, logger } = options;
  const bundle = findBundle();
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort').then(() => undefined);
  const isStopping = (): boolean => stopping.signal.aborted;
  let worker: Worker | undefined;
  let started: () => void = () => undefined;
  const polling = new Promise<void>((resolve) => (started = resolve));

  async function supervise(): Promise<void> {
    // The engine may not be there yet, and need not come any more.
    const connection = await Promise.race([engine.ready(), stopped]);
    while (connection !== undefined && !isStopping()) {
      try {
        worker = await createWorker(options, connection, bundle);
        const running = worker.run();
        // One that was never run would hold its connection for ever.
        if (isStopping()) shutDown();
        else started();
        await running;
      } catch (error) {
        worker = undefined;
        logger.error({ reason: messageOf(error) }, 'the worker ended; starting another');
        await Promise.race([delay(RESTART_DELAY_MS), stopped]);
      }
    }
  }

  function shutDown(): void {
    if (worker?.getState() === 'RUNNING') worker.shutdown();
  }

  const supervised = supervise().catch((error: unknown) => {
    if (!isStopping()) logger.error({ reason: messageOf(error) }, 'no worker could be started');
  });

  return {
    polling,
    async stop() {
      stopping.abort();
      shutDown();
      const limit = delay(CREATE_STOP_LIMIT_MS, undefined, { ref: false });
      await (worker === undefined ? Promise.race([supervised, limit]) : supervised);
    },
  };
}

function createWorker(
  options: WorkerOptions,
  { native, namespace }: EngineConnection,
  workflowBundle: { codePath: string },
): Promise<Worker> {
  const { config, activities, dataConverter } = options;
  return Worker.create({
    connection: native,
    namespace,
    taskQueue: config.TASK_QUEUE,
    identity: config.identity,
    workflowBundle,
    activities,
    dataConverter,
    interceptors: { activity: [(context) => ({ inbound: createActivityInterceptor(context) })] },
    ...workerTuning(config),
    ...deploymentOptions(config),
  });
}
