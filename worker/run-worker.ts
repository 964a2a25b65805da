import { Worker } from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../src/config';
import { messageOf } from '../src/errors';
import type { Logger } from '../src/logger';
import type { Engine, EngineConnection } from '../temporal/engine';
import { createActivityInterceptor } from './activity-interceptor';
import { findBundle } from './bundle';
import { workerTuning } from './tuning';

const RESTART_DELAY_MS = 1_000;

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

/** Runs a worker as soon as the engine is there, and a new one should it end by itself. */
export function runWorker(options: WorkerOptions): RunningWorker {
  const { engine, logger } = options;
  let worker: Worker | undefined;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  let started: () => void = () => undefined;
  const polling = new Promise<void>((resolve) => (started = resolve));

  async function supervise(): Promise<void> {
    const connection = await engine.ready();
    while (!isStopping()) {
      try {
        worker = await createWorker(options, connection);
        if (isStopping()) break;
        const running = worker.run();
        started();
        await running;
      } catch (error) {
        logger.error({ reason: messageOf(error) }, 'the worker ended; starting another');
        await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
      }
    }
  }

  const supervised = supervise().catch((error: unknown) => {
    if (!stopping) logger.error({ reason: messageOf(error) }, 'no worker could be started');
  });

  return {
    polling,
    async stop() {
      stopping = true;
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await supervised;
    },
  };
}

function createWorker(options: WorkerOptions, { native, namespace }: EngineConnection): Promise<Worker> {
  const { config, activities, dataConverter } = options;
  return Worker.create({
    connection: native,
    namespace,
    taskQueue: config.TASK_QUEUE,
    identity: config.identity,
    workflowBundle: findBundle(),
    activities,
    dataConverter,
    interceptors: { activity: [(context) => ({ inbound: createActivityInterceptor(context) })] },
    ...workerTuning(config),
  });
}
