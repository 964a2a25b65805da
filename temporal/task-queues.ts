import { temporal } from '@temporalio/proto';
import type { ExternalQueuePolls } from '../src/contracts/http/health';
import { QUEUE_KINDS, type QueueKind, queueName } from '../src/contracts/queues';
import { beforeDeadline } from './deadline';
import { type BuildRef, isFresh, isOfBuild, type Poller, toBuild, toPoller } from './pollers';
import type { Engine, EngineConnection } from './engine';
import { serverClock } from './server-clock';

const { TaskQueueType } = temporal.api.enums.v1;

const READ_LIMIT_MS = 1_000;

/** The workers that poll a queue, as the server reports them. */
export interface QueuePolls {
  readonly kind: QueueKind;
  readonly taskQueue: string;
  /** The identities of processes that poll and take new runs. */
  readonly identities: readonly string[];
  /** All workers that polled in the last minutes. */
  readonly pollers: readonly Poller[];
  /** The build that takes new runs; undefined if workers without a build take them. */
  readonly current: BuildRef | undefined;
  /** The build that takes a share of new runs; undefined if no build is ramping. */
  readonly ramping: BuildRef | undefined;
}

/** Asks the server once who polls a task queue of any service. The caller sets the deadline. */
async function describeQueue(
  { native, namespace }: Pick<EngineConnection, 'native' | 'namespace'>,
  name: string,
  as: 'activity' | 'workflow',
) {
  const { pollers, versioningInfo } = await native.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType:
      as === 'workflow' ? TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW : TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
  });
  return { pollers: pollers.map(toPoller), versioningInfo };
}

/** Counts the workers that poll a task queue of any service, within a second. @throws as `readAllPolls` does */
export function countPollers(
  engine: Pick<Engine, 'current'>,
  { taskQueue, as }: { readonly taskQueue: string; readonly as: 'activity' | 'workflow' },
): Promise<number> {
  const connection = engine.current();
  return beforeDeadline(connection.native, Date.now() + READ_LIMIT_MS, async () => {
    const { pollers } = await describeQueue(connection, taskQueue, as);
    return pollers.filter(({ lastPoll }) => isFresh(lastPoll, serverClock.now())).length;
  });
}

/** Counts the workers that poll each task queue, for activities and for workflows. @throws as `countPollers` does */
export function pollsOfQueues(
  engine: Pick<Engine, 'current'>,
  taskQueues: readonly string[],
): Promise<ExternalQueuePolls[]> {
  return Promise.all(
    taskQueues.map(async (taskQueue) => {
      const [activityPollers, workflowPollers] = await Promise.all([
        countPollers(engine, { taskQueue, as: 'activity' }),
        countPollers(engine, { taskQueue, as: 'workflow' }),
      ]);
      return { taskQueue, activityPollers, workflowPollers };
    }),
  );
}

/**
 * Asks the server once which workers poll a queue. The caller sets the deadline. `taskQueue` is the queue on which
 * runs are started.
 */
export async function readPolls(
  connection: Pick<EngineConnection, 'native' | 'namespace'>,
  taskQueue: string,
  kind: QueueKind,
): Promise<QueuePolls> {
  const name = queueName(taskQueue, kind);
  const as = kind === 'workflows' ? 'workflow' : 'activity';
  const { pollers, versioningInfo } = await describeQueue(connection, name, as);
  const current = toBuild(versioningInfo?.currentDeploymentVersion);
  const ramping = toBuild(versioningInfo?.rampingDeploymentVersion);
  const takers = pollers.filter(
    (poller) => isFresh(poller.lastPoll, serverClock.now()) && takesNewRuns(poller, { current, ramping }),
  );
  return {
    kind,
    taskQueue: name,
    identities: [...new Set(takers.map(({ identity }) => identity))],
    pollers,
    current,
    ramping,
  };
}

/** The builds that take new runs; an undefined element stands for workers without a build. Pure. */
export function buildsOfNewRuns({
  current,
  ramping,
}: Pick<QueuePolls, 'current' | 'ramping'>): (BuildRef | undefined)[] {
  return ramping === undefined ? [current] : [current, ramping];
}

/** Whether a worker takes new runs, or a share of them. Pure. */
export function takesNewRuns(
  poller: Pick<Poller, 'build'>,
  routing: Pick<QueuePolls, 'current' | 'ramping'>,
): boolean {
  return buildsOfNewRuns(routing).some((build) => isOfBuild(poller, build));
}

/**
 * Reads the polls of all queues of a service, within a second.
 * @throws HoldfastError `ENGINE_UNAVAILABLE` if the engine is not connected yet; EngineDeadlineError if it does
 * not answer
 */
export async function readAllPolls(
  engine: Pick<Engine, 'current'>,
  taskQueue: string,
): Promise<QueuePolls[]> {
  const connection = engine.current();
  return beforeDeadline(connection.native, Date.now() + READ_LIMIT_MS, () =>
    Promise.all(QUEUE_KINDS.map((kind) => readPolls(connection, taskQueue, kind))),
  );
}
