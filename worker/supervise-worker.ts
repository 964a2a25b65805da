import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { Engine, EngineConnection } from '../temporal/engine';
import type { GuardedWorker } from './worker-guard';
import { withinTime } from '../src/base/async/time-limit';

const RESTART_DELAY_MS = 1_000;
const LOOK_EVERY_MS = 1_000;
/** A worker that has failed ends itself within this time if it can. */
const FAILED_LIMIT_MS = 5_000;
/** A stop waits no longer than this for a worker that is still being created: the server may have gone meanwhile. */
const CREATE_STOP_LIMIT_MS = 2_000;

export interface SupervisedWorker {
  /** Resolves when the worker polls for the first time. */
  readonly polling: Promise<void>;
  /** Whether it takes tasks now. It does not before the engine is connected, between two workers, and after `stop`. */
  isPolling(): boolean;
  /** Stops polling, lets running activities finish within the grace time, and hands the others back to the server. */
  stop(): Promise<void>;
}

export interface SupervisedWorkerPorts {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly taskQueue: string;
  readonly create: (connection: EngineConnection) => Promise<GuardedWorker>;
  /** No worker is created before this resolves. If it is absent, one is created once the engine is connected. */
  readonly mayBegin?: Promise<void> | undefined;
  /** Ends the process, in which no other worker of the queue can run. */
  readonly fail: (reason: string) => void;
}

/**
 * Waits for the end of a worker. After some failures the SDK waits for polls that never return, so that `running` neither
 * resolves nor rejects; this rejects then.
 */
async function untilEnded(worker: Worker, running: Promise<void>): Promise<void> {
  let failedMs = 0;
  let giveUp: (error: Error) => void = () => undefined;
  const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
  const timer = setInterval(() => {
    if (worker.getState() === 'FAILED') failedMs += LOOK_EVERY_MS;
    if (failedMs > FAILED_LIMIT_MS) giveUp(new Error('it does not end'));
  }, LOOK_EVERY_MS).unref();
  try {
    await Promise.race([running, givenUp]);
  } finally {
    clearInterval(timer);
  }
}

/** Whether a worker ended because its workflow thread did. The SDK has then let go of everything that belongs to the worker. */
function isOfThread(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnexpectedError';
}

/**
 * Runs a worker once the engine is connected. It replaces a worker whose workflow thread ended, and one that could not be
 * created. After any other failure, such as polls that the server refuses, the SDK keeps the failed worker: it refuses another
 * one on the queue, and takes tasks that no code executes any more. So the process ends then.
 */
export function superviseWorker({
  engine,
  logger,
  taskQueue,
  create,
  mayBegin,
  fail,
}: SupervisedWorkerPorts): SupervisedWorker {
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort').then(() => undefined);
  const isStopping = (): boolean => stopping.signal.aborted;
  let worker: Worker | undefined;
  let started: () => void = () => undefined;
  const polling = new Promise<void>((resolve) => (started = resolve));

  async function supervise(): Promise<void> {
    // A stop may come before the engine is connected.
    const connection = await Promise.race([waitForEngine(), stopped]);
    while (connection !== undefined && !isStopping()) {
      try {
        await runOne(connection);
      } catch (error) {
        const isLost = worker !== undefined && !isOfThread(error);
        worker = undefined;
        if (isLost) return fail(`the worker of the task queue "${taskQueue}" failed: ${messageOf(error)}`);
        logger.error({ taskQueue, reason: messageOf(error) }, 'the worker ended; starting another');
        await Promise.race([delay(RESTART_DELAY_MS), stopped]);
      }
    }
  }

  async function waitForEngine(): Promise<EngineConnection> {
    await mayBegin;
    return engine.ready();
  }

  async function runOne(connection: EngineConnection): Promise<void> {
    const { worker: created, release } = await create(connection);
    worker = created;
    try {
      // The worker runs even if it is to stop at once: one that never ran would never release its connection.
      const running = created.run();
      if (isStopping()) shutDown();
      else started();
      await untilEnded(created, running);
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
      await (worker === undefined ? withinTime(supervised, CREATE_STOP_LIMIT_MS) : supervised);
    },
  };
}
