import { temporal } from '@temporalio/proto';
import type { QueueKind } from '../src/contracts/queues';
import { QUEUE_KINDS, queueName } from '../src/contracts/queues';
import { beforeDeadline } from './deadline';
import type { Engine, EngineConnection } from './engine';

const { TaskQueueType } = temporal.api.enums.v1;

/** A worker polls anew at least this often (a long poll lasts a minute), milliseconds. */
const POLLER_FRESHNESS_MS = 70_000;
const READ_LIMIT_MS = 1_000;

/** Who polls a queue, as the server tells it. */
export interface QueuePolls {
  readonly kind: QueueKind;
  readonly taskQueue: string;
  /** Processes that are polling, as far as the server knows, by their identities. */
  readonly identities: readonly string[];
  /** When the latest poll began, epoch milliseconds; 0: there was none in the last minutes. */
  readonly lastPoll: number;
}

/** Asks the server once, within the deadline of the caller. `taskQueue` is the one that runs are started on. */
export async function readPolls(
  { native, namespace }: Pick<EngineConnection, 'native' | 'namespace'>,
  taskQueue: string,
  kind: QueueKind,
): Promise<QueuePolls> {
  const name = queueName(taskQueue, kind);
  const { pollers } = await native.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType:
      kind === 'workflows' ? TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW : TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
  });
  const polls = pollers.map(({ identity, lastAccessTime }) => ({ identity, at: toMs(lastAccessTime) }));
  const fresh = polls.filter(({ at }) => isFresh(at, Date.now()));
  return {
    kind,
    taskQueue: name,
    identities: [...new Set(fresh.map(({ identity }) => identity ?? ''))],
    lastPoll: Math.max(0, ...polls.map(({ at }) => at)),
  };
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

/** Whether somebody who polled then is taken to be polling still. Epoch milliseconds. */
export function isFresh(lastPoll: number, now: number): boolean {
  return lastPoll > now - POLLER_FRESHNESS_MS;
}

/** Epoch milliseconds of a time in the server's form; 0 where there is none. */
export function toMs(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000;
}
