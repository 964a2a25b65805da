import { setTimeout as delay } from 'node:timers/promises';
import {
  Worker,
  type WorkerOptions,
  type ActivityExecuteInput,
  type ActivityInboundCallsInterceptor,
  type Next,
} from '@temporalio/worker';
import {
  type DataConverter,
  ApplicationFailure,
  CancelledFailure,
  defaultPayloadConverter,
  TemporalFailure,
} from '@temporalio/common';
import type { Context } from '@temporalio/activity';
import { type QueueKind, queueName } from '../src/contracts/queues';
import type { Logger } from '../src/base/logger';
import { beforeDeadline } from '../temporal/deadline';
import type { Engine, EngineConnection } from '../temporal/engine';
import { readPolls, takesNewRuns } from '../temporal/task-queues';
import { type SupervisedWorker, superviseWorker } from './supervise-worker';
import type { GuardedWorker, WorkerGuard } from './worker-guard';
import type { Config } from '../src/settings/config';
import { deploymentOptions } from './deployment';
import { type Activities, selectActivities } from './queue-activities';
import { withPlaces } from './step-places';
import { workerTuning } from './tuning';
import { endText, liveTextOf } from '../activities/live-text';
import { withDepth } from '../src/llm/call-depth';
import { DEPTH_FIELD } from '../src/contracts/runs/call-depth';
import { markToBeat } from '../activities/sent-mark';
import { isHoldfastError, messageOf } from '../src/base/errors';
import { toApplicationFailure } from '../temporal/failures';
import { serverClock } from '../temporal/server-clock';
import { findBundle } from './bundle';

const HEARTBEAT_INTERVAL_MS = 800;

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
 * @throws HoldfastError `CONFIGURATION` if the project was not built
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
 * it returns all the same: the worker takes tasks even if the server cannot list them.
 */
async function waitUntilSeen({ config, engine, logger }: RunWorkersPorts): Promise<void> {
  const { TASK_QUEUE, WORKER_QUEUES, identity } = config;
  const connection = engine.current();
  const passedOver = new Set<string>();
  const isSeen = async (kind: QueueKind): Promise<boolean> => {
    const polls = await readPolls(connection, TASK_QUEUE, kind);
    const ownPoller = polls.pollers.find((poller) => poller.identity === identity);
    if (ownPoller !== undefined && !takesNewRuns(ownPoller, polls)) passedOver.add(polls.taskQueue);
    return ownPoller !== undefined;
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

/** Model calls wait for each other within their worker: at the server, a wait looks as if no worker took them. */
function placedActivities(
  kind: QueueKind,
  activities: Activities,
  { WORKER_MAX_MODEL_ACTIVITIES }: Config,
): Partial<Activities> {
  const selected = selectActivities(kind, activities);
  return kind === 'models' ? withPlaces(selected, WORKER_MAX_MODEL_ACTIVITIES) : selected;
}

interface WorkerPorts {
  readonly config: Config;
  readonly dataConverter: DataConverter;
  readonly activities: Activities;
}

/**
 * Builds the options of the worker of one queue. Only the worker of workflows gets the workflow bundle.
 * @throws HoldfastError `CONFIGURATION` if the project was not built
 */
function workerOptions(
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

/**
 * Sends heartbeats for every regular activity, so that the server notices a dead worker within seconds. They carry the text
 * that a model has made so far, for those who follow the run, or the mark of a request that was sent, for the next attempt.
 * It turns errors into failures whose `type` is the stable code.
 */
export function createActivityInterceptor(context: Context): ActivityInboundCallsInterceptor {
  return {
    async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>) {
      const { isLocal, currentAttemptScheduledTimestampMs } = context.info;
      // A local activity has times of this machine.
      if (!isLocal) serverClock.hear(currentAttemptScheduledTimestampMs);
      const beat = isLocal
        ? undefined
        : setInterval(
            () => context.heartbeat(liveTextOf(context) ?? markToBeat(context)),
            HEARTBEAT_INTERVAL_MS,
          );
      try {
        return await withDepth(depthIn(input), () => next(input));
      } catch (error) {
        throw toFailure(error, context.cancellationSignal);
      } finally {
        clearInterval(beat);
        endText(context);
      }
    },
  };
}

/** How many model calls the run of an activity is within. */
function depthIn({ headers: { [DEPTH_FIELD]: depth } }: ActivityExecuteInput): number {
  return depth === undefined ? 0 : defaultPayloadConverter.fromPayload(depth);
}

function toFailure(error: unknown, cancellation: AbortSignal): Error {
  if (error instanceof TemporalFailure) return error;
  if (cancellation.aborted && error === cancellation.reason) return new CancelledFailure('cancelled');
  if (!isHoldfastError(error)) {
    return ApplicationFailure.create({ type: 'INTERNAL', message: messageOf(error), nonRetryable: true });
  }
  return toApplicationFailure(error);
}
