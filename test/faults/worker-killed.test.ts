import { apiCall, apiPost, calculator } from '../support/calls';
import type { HoldingPeer } from '../support/holding-peer';
import type { PartProcess } from '../support/process';
import { type CallFigures, countedSince, type EventName, eventsOf, figures, listRuns } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { waitFor } from '../support/wait';
import { customBody, sumStep } from '../support/workflow-steps';
import { holdWriteLock } from '../support/write-lock';
import { runWith } from './killed/work';

let stage: Stage;
let peer: HoldingPeer;
let api: Api;
let before: CallFigures;

/** Each test starts a worker and leaves none, so all share the API. */
beforeAll(async () => {
  stage = await openStage();
  ({ peer } = stage);
  api = await stage.api();
});
afterAll(() => stage.close());
beforeEach(async () => {
  before = await figures(api);
});

const execute = (call: unknown) => api.post('/api/tools/execute', call);

const counted = (): Promise<CallFigures> => countedSince(before, api);
const succeeded = (count: number): CallFigures => ({
  totalExecutions: count,
  successfulExecutions: count,
  failedExecutions: 0,
});

async function happened(workflowId: string, name: EventName): Promise<void> {
  await waitFor(async () => (await eventsOf(stage, workflowId, name)).length > 0, { what: name });
}

test('a request that may not be sent twice is given up when its run is cancelled', async () => {
  const worker = await stage.worker();
  // A limit that is longer than the test waits, so that only the cancellation ends the request.
  const patient = await stage.api({ TOOL_TIMEOUT_MS: '290000' });
  const answer = patient.post('/api/tools/execute', apiPost(`${peer.url}/held/cancelled`));
  await peer.arrived('/held/cancelled');
  const { workflowId } = await runWith(stage, '/held/cancelled');
  await stage.client.workflow.getHandle(workflowId).cancel();
  expect((await answer).body.message).toBe('Run cancelled');
  // The worker learns of it with the next heartbeat that the SDK sends, about a second later.
  await waitFor(() => peer.waiting === 0, { what: 'the request to be given up' });
  await Promise.all([worker.stop(), patient.process.stop()]);
});

test('a worker killed in the middle of light runs is followed by another, and their calls are counted once', async () => {
  const next = calculator('multiply', '{{previous_result}}', 10);
  const tools = [calculator('multiply', 6, 7), next, next];
  const steps = [sumStep('a', 1, 2), sumStep('b', '{{a.result}}', 1), sumStep('c', '{{b.result}}', 1)];
  const LIGHT: [path: string, body: unknown, data: object][] = [
    ['/api/tools/execute', calculator('multiply', 6, 7), { result: 42 }],
    [
      '/api/tools/execute-sequential',
      { tools },
      { results: [42, 420, 4_200].map((result) => ({ data: { result } })) },
    ],
    [
      '/api/workflow/execute-custom',
      customBody(steps),
      { results: { a: { result: 3 }, b: { result: 4 }, c: { result: 5 } } },
    ],
  ];
  const worker = await stage.worker();
  const begun = new Date();
  // The lock keeps the calls from being counted, and so the steps from ending, until the worker is killed.
  const unlock = holdWriteLock(stage.dataDir);
  const answering = LIGHT.map(([path, body]) => api.post(path, body));
  const runs = await waitFor(
    async () => {
      const listed = await listRuns(stage.client, stage.taskQueue);
      const ours = listed.filter(({ startTime }) => startTime >= begun);
      return ours.length === LIGHT.length && ours;
    },
    { what: 'the runs to be listed' },
  );
  await Promise.all(runs.map(({ workflowId }) => happened(workflowId, 'EVENT_TYPE_WORKFLOW_TASK_STARTED')));
  await worker.kill();
  unlock();
  const another = await stage.worker();

  for (const [index, answer] of (await Promise.all(answering)).entries()) {
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject(LIGHT[index]?.[2] ?? {});
  }
  expect(await counted()).toEqual(succeeded(7));
  for (const { workflowId } of runs) {
    expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_MARKER_RECORDED')).toHaveLength(1);
  }
  await another.stop();
});

test('a worker that stands still for longer than a call may take finds it failed, and counted once', async () => {
  // The time is long enough for a busy machine to send the request within it.
  const worker = await stage.worker();
  const answer = execute({ ...apiCall(`${peer.url}/held/still`), options: { timeout: 5_000 } });
  await peer.arrived('/held/still');
  const { workflowId } = await runWith(stage, '/held/still');
  worker.signal('SIGSTOP');
  await happened(workflowId, 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT');
  worker.signal('SIGCONT');

  const { status, body } = await answer;
  expect([status, body.message]).toEqual([500, 'Tool execution timeout']);
  // The worker's own attempt at the call has ended by now and has counted it too.
  expect(await worker.stop()).toBe(0);
  expect(await counted()).toEqual({ totalExecutions: 1, successfulExecutions: 0, failedExecutions: 1 });
});

describe('a worker killed after it counted a call and before it could report it', () => {
  let proxy: TcpProxy;
  let worker: PartProcess;
  let another: PartProcess;

  beforeEach(async () => {
    proxy = await startTcpProxy(stage.settings['TEMPORAL_ADDRESS'] ?? '');
    worker = await stage.worker({ TEMPORAL_ADDRESS: proxy.address });
    // Once one call is done, the worker waits for the next.
    await execute(calculator('add', 1, 1));
  });

  afterEach(async () => {
    await proxy.close();
    await another.stop();
  });

  async function killOnceCounted(count: number): Promise<void> {
    await waitFor(async () => (await counted()).totalExecutions === count, {
      what: 'the call to be counted',
    });
    await worker.kill();
    another = await stage.worker();
  }

  test('does not count an inline call twice', async () => {
    proxy.holdRequests();
    const answer = execute(calculator('add', 1, 2));
    await killOnceCounted(2);

    const { headers, body } = await answer;
    expect(body.data.result).toBe(3);
    const workflowId = headers.get('x-workflow-id') ?? '';
    expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT')).toHaveLength(1);
    expect(await counted()).toEqual(succeeded(2));
  });

  test('does not count another call twice', async () => {
    const answer = execute(apiCall(`${peer.url}/held/counted`));
    await peer.arrived('/held/counted');
    proxy.holdRequests();
    peer.release('/held/counted');
    await killOnceCounted(2);

    expect((await answer).status).toBe(200);
    expect(peer.count('/held/counted')).toBe(2);
    expect(await counted()).toEqual(succeeded(2));
  });
});
