import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import { withinTime } from '../src/base/async/within-time';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { Engine, EngineConnection } from '../temporal/engine';
import type { GuardedWorker } from './worker-guard';

const RESTART_DELAY_MS = 1_000;
/** A stop waits no longer than this for a worker that is not made yet: the server may have gone meanwhile. */
const CREATE_STOP_LIMIT_MS = 2_000;

export interface SupervisedWorker {
  /** Resolves when the worker polls for the first time. */
  readonly polling: Promise<void>;
  /** Whether it takes work now: not before its engine is there, not between two workers, and not once it is to stop. */
  isPolling(): boolean;
  /** Stops taking work, lets what is under way finish within the grace time, hands back the rest. */
  stop(): Promise<void>;
}

export interface SupervisedWorkerPorts {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly taskQueue: string;
  readonly create: (connection: EngineConnection) => Promise<GuardedWorker>;
  /** No worker is made before it resolves; absent: one is as soon as the engine is there. */
  readonly mayBegin?: Promise<void> | undefined;
}

/** Runs a worker as soon as the engine is there, and a new one should it end by itself. */
export function superviseWorker({
  engine,
  logger,
  taskQueue,
  create,
  mayBegin,
}: SupervisedWorkerPorts): SupervisedWorker {
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort').then(() => undefined);
  const isStopping = (): boolean => stopping.signal.aborted;
  let worker: Worker | undefined;
  let started: () => void = () => undefined;
  const polling = new Promise<void>((resolve) => (started = resolve));

  async function supervise(): Promise<void> {
    // Neither has to come any more.
    const connection = await Promise.race([begun(), stopped]);
    while (connection !== undefined && !isStopping()) {
      try {
        await runOne(connection);
      } catch (error) {
        worker = undefined;
        logger.error({ taskQueue, reason: messageOf(error) }, 'the worker ended; starting another');
        await Promise.race([delay(RESTART_DELAY_MS), stopped]);
      }
    }
  }

  async function begun(): Promise<EngineConnection> {
    await mayBegin;
    return engine.ready();
  }

  async function runOne(connection: EngineConnection): Promise<void> {
    const { worker: made, release } = await create(connection);
    worker = made;
    try {
      const running = made.run();
      // One that was never run would hold its connection for ever.
      if (isStopping()) shutDown();
      else started();
      await running;
    } finally {
      await release();
    }
  }

  function shutDown(): void {
    if (worker?.getState() === 'RUNNING') worker.shutdown();
  }

  const supervised = supervise().catch((error: unknown) => {
    if (!isStopping()) logger.error({ taskQueue, reason: messageOf(error) }, 'no worker could be started');
  });

  return {
    polling,
    isPolling: () => !isStopping() && worker?.getState() === 'RUNNING',
    async stop() {
      stopping.abort();
      shutDown();
      await (worker === undefined
        ? withinTime(supervised, CREATE_STOP_LIMIT_MS, () => undefined)
        : supervised);
    },
  };
}
