import { temporal } from '@temporalio/proto';
import { toMs } from './deployments/deployment';
import type { BuildOf } from './deployments/pollers';
import { isFresh, isOf, toPoller } from './deployments/pollers';

type RunDescription = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;
type QueueDescription = temporal.api.workflowservice.v1.IDescribeTaskQueueResponse;

/** A task that waits this long for a worker that polls would have been taken, milliseconds. */
const TASK_PICKUP_MS = 5_000;
const { PendingWorkflowTaskState, VersioningBehavior } = temporal.api.enums.v1;

/** What to say where no worker takes what a run on `taskQueue` waits for, as the engine tells of both; else nothing. Pure. */
export function whatIsMissing(
  taskQueue: string,
  run: RunDescription,
  queue: QueueDescription,
  now: number,
): string {
  const build = buildFor(run, queue);
  const pollers = (queue.pollers ?? []).map(toPoller);
  const ours = pollers.filter((poller) => isOf(poller, build));
  const lastPoll = Math.max(0, ...ours.map((poller) => poller.lastPoll));
  const missing = aboutWorkers(taskQueue, lastPoll, waitingSince(run), now);
  const others = pollers.filter((poller) => !ours.includes(poller) && isFresh(poller.lastPoll, now));
  if (missing === '' || others.length === 0) return missing;
  return aboutBuilds(
    taskQueue,
    build,
    others.flatMap((other) => other.build ?? []),
  );
}

/** Which build has to take the run's next task: its own, else the current one; undefined: workers without a build. */
function buildFor(
  { workflowExecutionInfo: info }: RunDescription,
  queue: QueueDescription,
): BuildOf | undefined {
  const { versioningInfo: own } = info ?? {};
  const isPinned = own?.behavior === VersioningBehavior.VERSIONING_BEHAVIOR_PINNED;
  const version = isPinned ? own.deploymentVersion : queue.versioningInfo?.currentDeploymentVersion;
  if (!version?.buildId) return undefined;
  return { deploymentName: version.deploymentName ?? '', buildId: version.buildId };
}

/** What to say of a queue that only others poll than the build that has to take the task. Exported for its test. */
export function aboutBuilds(
  taskQueue: string,
  build: BuildOf | undefined,
  polling: readonly BuildOf[],
): string {
  if (build !== undefined) {
    return `. No worker of build ${build.buildId} of ${build.deploymentName}, which has to take it, polls the task queue "${taskQueue}"`;
  }
  const names = [...new Set(polling.map(({ deploymentName, buildId }) => `${buildId} of ${deploymentName}`))];
  return `. The workers of the task queue "${taskQueue}" are of build ${names.join(', ')}, and no build is current; make one so with npm run deploy -- promote`;
}

/**
 * What to say of the workers of a queue whose last poll began at `lastPoll`, when a task of the run has waited since
 * `waiting` (epoch milliseconds; 0: never, undefined: nothing waits). A long poll lasts a minute, so an old one alone
 * means little: but it would have taken the task. Exported for its test.
 */
export function aboutWorkers(
  taskQueue: string,
  lastPoll: number,
  waiting: number | undefined,
  now: number,
): string {
  if (!isFresh(lastPoll, now)) return `. No worker is polling the task queue "${taskQueue}"`;
  const isLeft = waiting !== undefined && waiting < now - TASK_PICKUP_MS && lastPoll <= waiting;
  const seconds = Math.round((now - lastPoll) / 1_000);
  return isLeft ? `. No worker has polled the task queue "${taskQueue}" in the last ${seconds} s` : '';
}

/** Since when a workflow task of the run waits for a worker, epoch milliseconds. */
function waitingSince({ pendingWorkflowTask: task }: RunDescription): number | undefined {
  const isWaiting = task?.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED;
  return isWaiting ? toMs(task.scheduledTime) : undefined;
}
