import { temporal } from '@temporalio/proto';
import { QUEUE_KINDS, type QueueKind, queueName } from '../../src/contracts/queues';
import type { EngineConnection } from '../engine';
import { describeMissingBuilds, describeBuilds, GONE_OR_BUSY, describeQueue } from '../describe-builds';
import { type BuildRef, isFresh, isOfBuild, toBuild } from '../pollers';
import { toMs } from '../proto-time';
import { serverClock } from '../server-clock';
import type { StartedRun } from './started-run';
import { buildsOfNewRuns, type QueuePolls, readPolls } from '../task-queues';

const { PendingActivityState, PendingWorkflowTaskState, VersioningBehavior } = temporal.api.enums.v1;

/** A polling worker takes a task within this time, ms. */
const TASK_PICKUP_MS = 5_000;

/**
 * Describes the queues in which tasks of the run wait for a worker that does not poll. Empty if there are no such
 * queues.
 */
export async function diagnoseSlowRun(
  connection: EngineConnection,
  run: StartedRun,
  taskQueue: string,
): Promise<string> {
  const { raw } = await connection.client.workflow.getHandle(run.workflowId, run.runId).describe();
  const waiting = findWaitingTasks(raw, taskQueue);
  // The queue of the run's workflow tasks is always checked.
  if (!waiting.has('workflows')) waiting.set('workflows', undefined);
  const sentences = await Promise.all(
    [...waiting].map(async ([kind, since]) =>
      describeMissingPollers(
        await readPolls(connection, taskQueue, kind),
        pinnedBuild(raw),
        since,
        serverClock.now(),
      ),
    ),
  );
  return sentences.join('');
}

/**
 * Describes the workers that are missing from a queue; empty if none is missing. Only workers of `pinned` can take
 * the task, or, if the run is not pinned, those of builds that take new runs. A build that polls counts as missing
 * only if none of the possible builds has taken a waiting task in time. Pure.
 */
export function describeMissingPollers(
  polls: QueuePolls,
  pinned: BuildRef | undefined,
  waiting: number | undefined,
  now: number,
): string {
  const builds = pinned === undefined ? buildsOfNewRuns(polls) : [pinned];
  const pollsOf = (build: BuildRef | undefined): number =>
    Math.max(
      0,
      ...polls.pollers.filter((poller) => isOfBuild(poller, build)).map(({ lastPoll }) => lastPoll),
    );
  const gone = builds.filter((build) => !isFresh(pollsOf(build), now));
  // If no task waits, one polling build is enough.
  if (waiting === undefined && gone.length < builds.length) return '';
  const lastPoll = Math.max(...builds.map(pollsOf));
  const left = describePollers({ ...polls, lastPoll }, waiting, now);
  if (gone.length === 0 && builds.length > 1) {
    const taker = `No worker ${describeBuilds(builds)}, one of which has to take it, has taken it`;
    return left === '' ? '' : `. ${taker} from ${describeQueue(polls)}`;
  }
  if (gone.length === 0 && left === '') return '';
  const isOneOfTwo = gone.length > 0 && gone.length < builds.length;
  if (isOneOfTwo && !isOverdue(waiting, now)) return '';
  const missing = gone.length === 0 ? builds : gone;
  const others = polls.pollers.filter(
    (other) => !missing.some((build) => isOfBuild(other, build)) && isFresh(other.lastPoll, now),
  );
  return others.length === 0 ? left : `. ${describeMissingBuilds(polls, missing, others, isOneOfTwo)}`;
}

/**
 * Describes a queue that no worker polls; empty if one does. A long poll lasts a minute, so an old poll alone does
 * not prove that the worker has gone. But a polling worker would have taken a task that waits.
 * @param waiting since when a task of the run waits in the queue, epoch milliseconds; undefined if no task waits
 */
export function describePollers(
  { kind, taskQueue, lastPoll }: Pick<QueuePolls, 'kind' | 'taskQueue'> & { readonly lastPoll: number },
  waiting: number | undefined,
  now: number,
): string {
  const queue = describeQueue({ kind, taskQueue });
  if (!isFresh(lastPoll, now)) return `. No worker is polling ${queue}: ${GONE_OR_BUSY}`;
  const seconds = Math.round((now - lastPoll) / 1_000);
  return isPassedOver(waiting, lastPoll, now)
    ? `. No worker has polled ${queue} in the last ${seconds} s: ${GONE_OR_BUSY}`
    : '';
}

function isPassedOver(waiting: number | undefined, lastPoll: number, now: number): boolean {
  return isOverdue(waiting, now) && lastPoll <= (waiting ?? 0);
}

/** Whether a polling worker would have taken the task by now. */
function isOverdue(waiting: number | undefined, now: number): boolean {
  return waiting !== undefined && waiting < now - TASK_PICKUP_MS;
}

type Description = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;

/** The build to which a run is pinned. */
function pinnedBuild({ workflowExecutionInfo: info }: Description): BuildRef | undefined {
  const { versioningInfo: versioning } = info ?? {};
  const isPinned = versioning?.behavior === VersioningBehavior.VERSIONING_BEHAVIOR_PINNED;
  return isPinned ? toBuild(versioning.deploymentVersion) : undefined;
}

/**
 * Finds the queues in which tasks of the run wait for a worker, each with the time since when its oldest task waits.
 */
function findWaitingTasks(
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
