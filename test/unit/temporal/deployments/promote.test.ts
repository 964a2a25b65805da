import type { Build, Deployment } from '../../../../temporal/deployments/deployment';
import type { Deployments, Queue } from '../../../../temporal/deployments/deployments';
import type { Poller } from '../../../../temporal/pollers';
import { EngineAway } from '../../../../temporal/deployments/problem';
import { promote } from '../../../../temporal/deployments/promote';

const BUILD = { deploymentName: 'shop', buildId: '2' };
/** How far the server's clock is ahead, ms. */
const SKEW_MS = 5_000;
const NOW = Date.now() + SKEW_MS;

/** The answer of a test to each question about a queue, given how many questions came before. */
type LastPolls = (queue: Queue, asked: number) => Readonly<Record<string, number | undefined>>;

/** A deployment that has only build 2, which one call promotes. It is not yet registered at the first `unregistered` looks. */
function deploymentsWith(
  lastPolls: LastPolls,
  describing: () => void = () => undefined,
  { unregistered = 0 } = {},
) {
  let current: string | undefined;
  let described = 0;
  const asked = new Map<string, number>();
  const deployments: Partial<Deployments> = {
    describe: () => {
      describing();
      described += 1;
      const builds: Build[] =
        described > unregistered ? [{ buildId: '2', state: 'inactive', since: NOW }] : [];
      const conflictToken = new Uint8Array();
      const deployment: Deployment = { name: 'shop', builds, current, ramp: undefined, conflictToken };
      return Promise.resolve(deployment);
    },
    listQueues: () => Promise.resolve([]),
    describeQueue(queue) {
      const key = `${queue.kind} ${queue.name}`;
      const times = asked.get(key) ?? 0;
      asked.set(key, times + 1);
      const pollers = Object.entries(lastPolls(queue, times)).map(([identity, lastPoll = 0]): Poller => ({
        identity,
        lastPoll,
        build: BUILD,
      }));
      return Promise.resolve({ pollers, current });
    },
    setCurrent({ buildId }) {
      current = buildId;
      return Promise.resolve();
    },
  };
  return { deployments: deployments as Deployments, current: () => current };
}

const reported: string[] = [];
beforeEach(() => (reported.length = 0));

const promoted = (deployments: Deployments, more: { ignoreMissingQueues?: boolean; waitMs?: number } = {}) =>
  promote(deployments, {
    name: 'shop',
    buildId: '2',
    taskQueue: 'q',
    ignoreMissingQueues: false,
    waitMs: 700,
    report: (line) => reported.push(line),
    ...more,
  });

test('a worker that polled just now and is gone does not count, whatever the clocks say', async () => {
  const { deployments, current } = deploymentsWith(() => ({ dead: NOW }));
  await expect(promoted(deployments)).rejects.toThrow(
    /^After 0.7 s, no worker of build 2 has begun to poll the task queues "q" \(activity, workflow\), .*once a minute$/,
  );
  expect(current()).toBeUndefined();
});

test('one that polls anew counts, and so does one that comes meanwhile', async () => {
  const again = deploymentsWith((_queue, asked) => ({ one: NOW + asked * 60_000 }));
  await expect(promoted(again.deployments)).resolves.toMatch(/^build 2 of shop takes new runs/);
  const come = deploymentsWith((_queue, asked) => (asked > 0 ? { dead: NOW, one: NOW + 1 } : { dead: NOW }));
  await expect(promoted(come.deployments)).resolves.toMatch(/^build 2 of shop takes new runs/);
});

test('a build whose polls are listed before the engine has registered it is waited for', async () => {
  const late = deploymentsWith((_queue, asked) => ({ one: NOW + asked }), undefined, { unregistered: 3 });
  await expect(promoted(late.deployments, { waitMs: 5_000 })).resolves.toMatch(/^build 2 of shop takes/);
  expect(reported.at(-1)).toBe('waiting: build 2 is not registered in the deployment shop yet');
});

test('queues of steps may be left out, but not the one of the workflows', async () => {
  const only = (kept: (queue: Queue) => boolean) =>
    deploymentsWith((queue, asked) => (kept(queue) ? { one: NOW + asked } : {}));
  const ignoreMissingQueues = true;
  const steps = only(({ kind }) => kind === 'activity');
  await expect(promoted(steps.deployments, { ignoreMissingQueues })).rejects.toThrow(/no worker of build 2/);
  expect(steps.current()).toBeUndefined();
  const workflows = only(({ kind }) => kind === 'workflow');
  await expect(promoted(workflows.deployments)).rejects.toThrow(/"q-sandbox" \(activity\)/);
  await promoted(workflows.deployments, { ignoreMissingQueues });
  expect(workflows.current()).toBe('2');
});

test('an engine that is away for a while ends no wait, and a mistake does', async () => {
  let looks = 0;
  const away = deploymentsWith(
    (_queue, asked) => ({ one: NOW + asked }),
    () => {
      looks += 1;
      if (looks === 2) throw new EngineAway('connection refused');
    },
  );
  await expect(promoted(away.deployments, { waitMs: 5_000 })).resolves.toMatch(/^build 2 of shop takes/);
  expect(reported).toContain('waiting: Temporal does not answer');

  const broken = deploymentsWith(
    () => ({}),
    () => {
      throw new TypeError('no function');
    },
  );
  await expect(promoted(broken.deployments)).rejects.toThrow(TypeError);
});
