import { workerHealth } from '../../../../api/health/worker-health';
import { QUEUE_KINDS, queueName } from '../../../../src/contracts/queues';
import type { BuildRef, Poller } from '../../../../temporal/pollers';
import type { EngineConnection } from '../../../../temporal/engine';
import { readPolls } from '../../../../temporal/task-queues';
import { described } from '../../../support/described-queue';

interface Polled {
  readonly current?: BuildRef;
  readonly ramping?: BuildRef;
  readonly by: readonly Pick<Poller, 'identity' | 'build'>[];
}

/** The health of a service in which every queue has been polled just now. */
async function healthOf({ current, ramping, by }: Polled) {
  const lastPoll = Date.now() - 1_000;
  const answer = described({ current, ramping, pollers: by.map((one) => ({ ...one, lastPoll })) });
  const connection = {
    native: { workflowService: { describeTaskQueue: () => Promise.resolve(answer) } },
    namespace: 'n',
  } as unknown as EngineConnection;
  return workerHealth(await Promise.all(QUEUE_KINDS.map((kind) => readPolls(connection, 'q', kind))));
}

const build = (buildId: string): BuildRef => ({ deploymentName: 'shop', buildId });
const worker = (identity: string, buildId?: string) => ({
  identity,
  build: buildId === undefined ? undefined : build(buildId),
});
const pollers = async (polled: Polled): Promise<number[]> =>
  (await healthOf(polled)).queues.map((queue) => queue.pollers);

test('only workers that take new runs are counted', async () => {
  const by = [worker('a'), worker('b', '1'), worker('c', '2'), worker('d', '2')];
  expect(await pollers({ by })).toEqual([1, 1, 1, 1]);
  expect(await pollers({ by, current: build('2') })).toEqual([2, 2, 2, 2]);
  expect(await pollers({ by, current: build('1'), ramping: build('2') })).toEqual([3, 3, 3, 3]);
  expect(await healthOf({ by, current: build('2') })).toMatchObject({ status: 'healthy' });
});

test('workers of builds that take no new runs make nothing healthy, and the reason says whose turn it is', async () => {
  const stranded = await healthOf({ by: [worker('b', '1')] });
  expect(stranded.status).toBe('unhealthy');
  for (const kind of QUEUE_KINDS) {
    expect(stranded.reason).toContain(`The workers of the task queue "${queueName('q', kind)}"`);
  }
  expect(stranded.reason).toContain('are of build 1 of shop, and no build is current; make one so');

  const other = await healthOf({ by: [worker('b', '1')], current: build('2') });
  expect(other.status).toBe('unhealthy');
  expect(other.reason).toMatch(
    /^No worker of build 2 of shop, which has to take it, polls the task queue "q"/,
  );
});

test('without any worker that is said, and that one may be busy', async () => {
  const { status, reason } = await healthOf({ by: [] });
  expect(status).toBe('unhealthy');
  expect(reason).toMatch(
    /^no worker is polling "q" \(.*"q-models" \(model calls\): none is running, or none has a free slot$/,
  );
});
