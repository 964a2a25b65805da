import { temporal } from '@temporalio/proto';
import { whatIsMissing } from '../../../../temporal/run-workers';

const NOW = 1_800_000_000_000;
const at = (secondsAgo: number) => ({ seconds: (NOW - secondsAgo * 1_000) / 1_000, nanos: 0 }) as never;
const { PendingWorkflowTaskState, VersioningBehavior, WorkerVersioningMode } = temporal.api.enums.v1;

const build = (buildId: string) => ({ deploymentName: 'shop', buildId });
const poller = (secondsAgo: number, buildId?: string) => ({
  lastAccessTime: at(secondsAgo),
  deploymentOptions:
    buildId === undefined
      ? { workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_UNVERSIONED, buildId: 'code@1' }
      : { workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED, ...build(buildId) },
});
const waitingRun = {
  pendingWorkflowTask: {
    state: PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED,
    scheduledTime: at(20),
  },
};
const pinned = (buildId: string) => ({
  ...waitingRun,
  workflowExecutionInfo: {
    versioningInfo: {
      behavior: VersioningBehavior.VERSIONING_BEHAVIOR_PINNED,
      deploymentVersion: build(buildId),
    },
  },
});
const queue = (current: string | undefined, ...pollers: ReturnType<typeof poller>[]) => ({
  pollers,
  versioningInfo: current === undefined ? {} : { currentDeploymentVersion: build(current) },
});
const about = (run: object, description: ReturnType<typeof queue>): string =>
  whatIsMissing('q', run, description, NOW);

test('workers of builds, none of which is current, are told with what to do', () => {
  expect(about(waitingRun, queue(undefined, poller(1, '1'), poller(1, '2')))).toMatch(
    /workers of the task queue "q" are of build 1 of shop, 2 of shop, and no build is current.*promote/,
  );
});

test('a current build without a worker is told, whoever else polls', () => {
  const message = /No worker of build 2 of shop, which has to take it, polls the task queue "q"/;
  expect(about(waitingRun, queue('2', poller(1, '1')))).toMatch(message);
  expect(about(waitingRun, queue('2', poller(1)))).toMatch(message);
  // It died a while ago.
  expect(about(waitingRun, queue('2', poller(1), poller(30, '2')))).toMatch(message);
});

test('a run waits for its own build, not for the current one', () => {
  expect(about(pinned('1'), queue('2', poller(1, '2')))).toMatch(/No worker of build 1 of shop/);
  expect(about(pinned('1'), queue('2', poller(1, '1')))).toBe('');
});

test('where the right workers poll, or nobody does, it is as without builds', () => {
  expect(about(waitingRun, queue('2', poller(1, '2'), poller(1)))).toBe('');
  expect(about(waitingRun, queue(undefined, poller(1), poller(1, '2')))).toBe('');
  expect(about(waitingRun, queue('2'))).toMatch(/No worker is polling the task queue "q"/);
});
