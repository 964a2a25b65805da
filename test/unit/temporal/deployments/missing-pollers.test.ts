import { temporal } from '@temporalio/proto';
import { toPoller } from '../../../../temporal/pollers';
import { describeMissingPollers } from '../../../../temporal/runs/slow-run';

const NOW = 1_800_000_000_000;
const ago = (seconds: number): number => NOW - seconds * 1_000;
const { WorkerVersioningMode } = temporal.api.enums.v1;

const build = (buildId: string) => ({ deploymentName: 'shop', buildId });

/** A worker as the engine describes it. The SDK makes a build id for a worker without a build. */
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
  readonly ramping?: string;
  readonly pinned?: string;
  /** Whether the run waits for nothing. */
  readonly idle?: boolean;
  readonly by: readonly ReturnType<typeof poller>[];
}

function about({ current, ramping, pinned, idle = false, by: pollers }: Polled): string {
  const polls = {
    kind: 'workflows' as const,
    taskQueue: 'q',
    identities: [],
    pollers,
    current: current === undefined ? undefined : build(current),
    ramping: ramping === undefined ? undefined : build(ramping),
  };
  return describeMissingPollers(
    polls,
    pinned === undefined ? undefined : build(pinned),
    idle ? undefined : ago(20),
    NOW,
  );
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
  // The worker died a while ago.
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

test('with a ramp the build that is gone is named, and none that polls', () => {
  const ramp = { current: '1', ramping: '2' };
  const gone = (id: string): RegExp =>
    new RegExp(`^\\. No worker of build ${id} of shop, which may have to take it, polls`);
  expect(about({ ...ramp, by: [poller(59, '1')] })).toMatch(gone('2'));
  expect(about({ ...ramp, by: [poller(59, '2')] })).toMatch(gone('1'));
  expect(about({ ramping: '2', by: [poller(59)] })).toMatch(gone('2'));
  expect(about({ ...ramp, by: [poller(1)] })).toMatch(
    /No worker of build 1 of shop or of build 2 of shop, which has to take it, polls/,
  );
  // The engine does not know yet which of them is dead.
  expect(about({ ...ramp, by: [poller(59, '1'), poller(30, '2')] })).toMatch(
    /No worker of build 1 of shop or of build 2 of shop, one of which has to take it, has taken it from/,
  );
  expect(about({ ...ramp, by: [poller(59, '1'), poller(1, '2')] })).toBe('');
});

test('with a ramp a run goes on with its own build, and one that waits for nothing with either', () => {
  const ramp = { current: '1', ramping: '2' };
  expect(about({ ...ramp, pinned: '1', by: [poller(1, '1')] })).toBe('');
  expect(about({ ...ramp, pinned: '2', by: [poller(1, '1')] })).toMatch(
    /No worker of build 2 of shop, which has/,
  );
  expect(about({ ...ramp, idle: true, by: [poller(59, '1')] })).toBe('');
});

test('a worker whose slots are all taken polls no more than one that is gone, and the words leave that open', () => {
  const either = /none is running, or none has a free slot$/;
  expect(about({ current: '2', by: [poller(1, '1')] })).toMatch(either);
  expect(about({ current: '2', by: [poller(30, '2')] })).toMatch(either);
  expect(about({ by: [] })).toMatch(either);
});
