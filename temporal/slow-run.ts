import { temporal } from '@temporalio/proto';
import type { QueueKind } from '../src/contracts/queues';
import { QUEUE_KINDS, queueName } from '../src/contracts/queues';
import type { EngineConnection } from './engine';
import { aboutBuilds, anyOf, GONE_OR_BUSY, wordsFor } from './builds-polling';
import { isFresh, isOf, toBuild } from './pollers';
import type { BuildOf } from './pollers';
import { toMs } from './proto-time';
import type { StartedRun } from './started-run';
import type { QueuePolls } from './task-queues';
import { readPolls, takersOf } from './task-queues';

const { PendingActivityState, PendingWorkflowTaskState, VersioningBehavior } = temporal.api.enums.v1;

/** A task that waits this long for a worker that polls would have been taken, milliseconds. */
const TASK_PICKUP_MS = 5_000;

/** Sentences about the queues in which something of the run waits for a worker that does not come; else nothing. */
export async function whatIsSlow(
  connection: EngineConnection,
  run: StartedRun,
  taskQueue: string,
): Promise<string> {
  const { raw } = await connection.client.workflow.getHandle(run.workflowId, run.runId).describe();
  const waiting = waitingSince(raw, taskQueue);
  // Who takes the run's own tasks is looked at in any case.
  if (!waiting.has('workflows')) waiting.set('workflows', undefined);
  const told = await Promise.all(
    [...waiting].map(async ([kind, since]) =>
      whoIsMissing(await readPolls(connection, taskQueue, kind), pinnedTo(raw), since, Date.now()),
    ),
  );
  return told.join('');
}

/**
 * What to say of a queue's workers: those of `pinned`, or else of a build that takes new runs, have to take the task, whoever else
 * polls. Of a build that polls nothing is said, unless the task has been left by all that might take it. Pure.
 */
export function whoIsMissing(
  polls: QueuePolls,
  pinned: BuildOf | undefined,
  waiting: number | undefined,
  now: number,
): string {
  const builds = pinned === undefined ? takersOf(polls) : [pinned];
  const pollsOf = (build: BuildOf | undefined): number =>
    Math.max(0, ...polls.pollers.filter((poller) => isOf(poller, build)).map(({ lastPoll }) => lastPoll));
  const gone = builds.filter((build) => !isFresh(pollsOf(build), now));
  // It goes on as it is with any of them.
  if (waiting === undefined && gone.length < builds.length) return '';
  const lastPoll = Math.max(...builds.map(pollsOf));
  const left = aboutWorkers({ ...polls, lastPoll }, waiting, now);
  if (gone.length === 0 && builds.length > 1) {
    const taker = `No worker ${anyOf(builds)}, one of which has to take it, has taken it`;
    return left === '' ? '' : `. ${taker} from ${wordsFor(polls)}`;
  }
  if (gone.length === 0 && left === '') return '';
  const isOneOfTwo = gone.length > 0 && gone.length < builds.length;
  if (isOneOfTwo && !isPassed(waiting, now)) return '';
  const missing = gone.length === 0 ? builds : gone;
  const others = polls.pollers.filter(
    (other) => !missing.some((build) => isOf(other, build)) && isFresh(other.lastPoll, now),
  );
  return others.length === 0 ? left : `. ${aboutBuilds(polls, missing, others, isOneOfTwo)}`;
}

/**
 * What to say of the workers of a queue, when a task of the run has waited there since `waiting` (epoch milliseconds;
 * undefined: nothing waits). A long poll lasts a minute, so an old one alone means little: but it would have taken the task.
 */
export function aboutWorkers(
  { kind, taskQueue, lastPoll }: Pick<QueuePolls, 'kind' | 'taskQueue'> & { readonly lastPoll: number },
  waiting: number | undefined,
  now: number,
): string {
  const queue = wordsFor({ kind, taskQueue });
  if (!isFresh(lastPoll, now)) return `. No worker is polling ${queue}: ${GONE_OR_BUSY}`;
  const seconds = Math.round((now - lastPoll) / 1_000);
  return isLeft(waiting, lastPoll, now)
    ? `. No worker has polled ${queue} in the last ${seconds} s: ${GONE_OR_BUSY}`
    : '';
}

function isLeft(waiting: number | undefined, lastPoll: number, now: number): boolean {
  return isPassed(waiting, now) && lastPoll <= (waiting ?? 0);
}

/** Whether a worker that polls would have taken it. */
function isPassed(waiting: number | undefined, now: number): boolean {
  return waiting !== undefined && waiting < now - TASK_PICKUP_MS;
}

type Description = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;

/** The build that a run stays on. */
function pinnedTo({ workflowExecutionInfo: info }: Description): BuildOf | undefined {
  const { versioningInfo: own } = info ?? {};
  const isPinned = own?.behavior === VersioningBehavior.VERSIONING_BEHAVIOR_PINNED;
  return isPinned ? toBuild(own.deploymentVersion) : undefined;
}

/** Since when tasks of the run wait for a worker, by the queue in which the oldest one does. */
function waitingSince(
  { pendingWorkflowTask, pendingActivities }: Description,
  taskQueue: string,
): Map<QueueKind, number | undefined> {
  const waiting = new Map<QueueKind, number | undefined>();
  if (pendingWorkflowTask?.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED) {
    waiting.set('workflows', toMs(pendingWorkflowTask.scheduledTime));
  }
  for (const { state, scheduledTime, activityOptions } of pendingActivities ?? []) {
    const kind = QUEUE_KINDS.find((each) => queueName(taskQueue, each) === activityOptions?.taskQueue?.name);
    const isWaiting = state === PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
    if (kind === undefined || kind === 'workflows' || !isWaiting) continue;
    waiting.set(kind, Math.min(waiting.get(kind) ?? Infinity, toMs(scheduledTime)));
  }
  return waiting;
}
