import { temporal } from '@temporalio/proto';
import type { QueueKind } from '../src/contracts/queues';
import { QUEUE_KINDS, queueName } from '../src/contracts/queues';
import type { EngineConnection } from './engine';
import { aboutBuilds, wordsFor } from './builds-polling';
import { isFresh, isOf, toBuild } from './deployments/pollers';
import type { BuildOf } from './deployments/pollers';
import { toMs } from './proto-time';
import type { StartedRun } from './started-run';
import type { QueuePolls } from './task-queues';
import { readPolls } from './task-queues';

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
 * What to say of a queue's workers: `pinned` or else the current build has to take the task, whoever else polls. As
 * `aboutWorkers` where there are no builds. Pure.
 */
export function whoIsMissing(
  polls: QueuePolls,
  pinned: BuildOf | undefined,
  waiting: number | undefined,
  now: number,
): string {
  const build = pinned ?? polls.current;
  const ours = polls.pollers.filter((poller) => isOf(poller, build));
  const lastPoll = Math.max(0, ...ours.map((poller) => poller.lastPoll));
  const missing = aboutWorkers({ ...polls, lastPoll }, waiting, now);
  const others = polls.pollers.filter((other) => !ours.includes(other) && isFresh(other.lastPoll, now));
  return missing === '' || others.length === 0 ? missing : aboutBuilds(polls, build, others);
}

/**
 * What to say of the workers of a queue, when a task of the run has waited there since `waiting` (epoch milliseconds;
 * undefined: nothing waits). A long poll lasts a minute, so an old one alone means little: but it would have taken the task.
 */
export function aboutWorkers(
  { kind, taskQueue, lastPoll }: Pick<QueuePolls, 'kind' | 'taskQueue' | 'lastPoll'>,
  waiting: number | undefined,
  now: number,
): string {
  const queue = wordsFor({ kind, taskQueue });
  if (!isFresh(lastPoll, now)) return `. No worker is polling ${queue}`;
  const isLeft = waiting !== undefined && waiting < now - TASK_PICKUP_MS && lastPoll <= waiting;
  const seconds = Math.round((now - lastPoll) / 1_000);
  return isLeft ? `. No worker has polled ${queue} in the last ${seconds} s` : '';
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
