import { temporal } from '@temporalio/proto';
import { toPoller } from '../../../../temporal/deployments/pollers';
import { whoIsMissing } from '../../../../temporal/slow-run';

const NOW = 1_800_000_000_000;
const ago = (seconds: number): number => NOW - seconds * 1_000;
const { WorkerVersioningMode } = temporal.api.enums.v1;

const build = (buildId: string) => ({ deploymentName: 'shop', buildId });

/** A worker as the engine tells of it; one without a build has a build id of the SDK's making. */
function poller(secondsAgo: number, buildId?: string) {
  return toPoller({
    identity: `worker ${buildId ?? 'plain'}`,
    lastAccessTime: { seconds: ago(secondsAgo) / 1_000, nanos: 0 } as never,
    deploymentOptions:
      buildId === undefined
        ? {
            workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_UNVERSIONED,
            buildId: '@temporalio/worker@1+4f',
          }
        : { workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED, ...build(buildId) },
  });
}

interface Polled {
  readonly current?: string;
  readonly pinned?: string;
  readonly by: readonly ReturnType<typeof poller>[];
}

function about({ current, pinned, by: pollers }: Polled): string {
  const polls = {
    kind: 'workflows' as const,
    taskQueue: 'q',
    identities: [],
    lastPoll: 0,
    pollers,
    current: current === undefined ? undefined : build(current),
  };
  return whoIsMissing(polls, pinned === undefined ? undefined : build(pinned), ago(20), NOW);
}

test('workers of builds, none of which is current, are told with what to do', () => {
  expect(about({ by: [poller(1, '1'), poller(1, '2'), poller(1, '2')] })).toMatch(
    /workers of the task queue "q" \(.*\) are of build 1 of shop, 2 of shop, and no build is current.*promote/,
  );
});

test('a current build without a worker is told, whoever else polls', () => {
  const message = /No worker of build 2 of shop, which has to take it, polls the task queue "q"/;
  expect(about({ current: '2', by: [poller(1, '1')] })).toMatch(message);
  expect(about({ current: '2', by: [poller(1)] })).toMatch(message);
  // It died a while ago.
  expect(about({ current: '2', by: [poller(1), poller(30, '2')] })).toMatch(message);
});

test('a run waits for its own build, not for the current one', () => {
  expect(about({ current: '2', pinned: '1', by: [poller(1, '2')] })).toMatch(/No worker of build 1 of shop/);
  expect(about({ current: '2', pinned: '1', by: [poller(1, '1')] })).toBe('');
});

test('where the right workers poll, or nobody does, it is as without builds', () => {
  expect(about({ current: '2', by: [poller(1, '2'), poller(1)] })).toBe('');
  expect(about({ by: [poller(1), poller(1, '2')] })).toBe('');
  expect(about({ current: '2', by: [] })).toMatch(/No worker is polling the task queue "q"/);
});
