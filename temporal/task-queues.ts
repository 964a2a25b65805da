import { temporal } from '@temporalio/proto';
import type { QueueKind } from '../src/contracts/queues';
import { QUEUE_KINDS, queueName } from '../src/contracts/queues';
import { beforeDeadline } from './deadline';
import type { BuildOf, Poller } from './pollers';
import { isFresh, isOf, toBuild, toPoller } from './pollers';
import type { Engine, EngineConnection } from './engine';

const { TaskQueueType } = temporal.api.enums.v1;

const READ_LIMIT_MS = 1_000;

/** Who polls a queue, as the server tells it. */
export interface QueuePolls {
  readonly kind: QueueKind;
  readonly taskQueue: string;
  /** Processes that poll and take new runs, as far as the server knows, by their identities. */
  readonly identities: readonly string[];
  /** Who polled in the last minutes. */
  readonly pollers: readonly Poller[];
  /** The build that takes new runs; undefined: workers without one do. */
  readonly current: BuildOf | undefined;
  /** The build that takes a share of them; undefined: none does. */
  readonly ramping: BuildOf | undefined;
}

/** Asks the server once, within the deadline of the caller. `taskQueue` is the one that runs are started on. */
export async function readPolls(
  { native, namespace }: Pick<EngineConnection, 'native' | 'namespace'>,
  taskQueue: string,
  kind: QueueKind,
): Promise<QueuePolls> {
  const name = queueName(taskQueue, kind);
  const { pollers: known, versioningInfo } = await native.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType:
      kind === 'workflows' ? TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW : TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
  });
  const pollers = known.map(toPoller);
  const current = toBuild(versioningInfo?.currentDeploymentVersion);
  const ramping = toBuild(versioningInfo?.rampingDeploymentVersion);
  const takers = pollers.filter(
    (poller) => isFresh(poller.lastPoll, Date.now()) && takesNewRuns(poller, { current, ramping }),
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

/** The builds that new runs go to; undefined among them: workers without a build. Pure. */
export function takersOf({
  current,
  ramping,
}: Pick<QueuePolls, 'current' | 'ramping'>): (BuildOf | undefined)[] {
  return ramping === undefined ? [current] : [current, ramping];
}

/** Whether a worker takes a part of the new runs. Pure. */
export function takesNewRuns(
  poller: Pick<Poller, 'build'>,
  routing: Pick<QueuePolls, 'current' | 'ramping'>,
): boolean {
  return takersOf(routing).some((build) => isOf(poller, build));
}

/**
 * All queues of a service, within a second.
 * @throws HoldfastError `ENGINE_UNAVAILABLE` where there is no connection yet; EngineDeadlineError
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
