import { randomUUID } from 'node:crypto';
import { apiCall, apiPost, calculator } from '../support/calls';
import type { HoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import type { PartProcess } from '../support/process';
import { type EventName, eventsOf, figures, onlyRun, pidOfActivity } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { waitFor } from '../support/wait';
import { customBody, fetchStep, sumStep } from '../support/workflow-steps';
import { holdWriteLock } from '../support/write-lock';

const succeeded = (count: number) => ({
  totalExecutions: count,
  successfulExecutions: count,
  failedExecutions: 0,
});

let stage: Stage;
let peer: HoldingPeer;
let api: Api;

beforeEach(async () => {
  stage = await openStage();
  ({ peer } = stage);
  api = await stage.api();
});

afterEach(() => stage.close());

const execute = (call: unknown) => api.post('/api/tools/execute', call);

/** Kills a worker, starts another one, and waits until that repeats the request that the killed worker had sent. */
async function killAndResume(
  worker: PartProcess,
  path: string,
  another: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await worker.kill();
  await Promise.all([another(), peer.arrived(path, 2)]);
}

async function happened(workflowId: string, name: EventName): Promise<void> {
  await waitFor(async () => (await eventsOf(stage, workflowId, name)).length > 0, { what: name });
}

/** Expects that missing heartbeats, within seconds, and not the call's time limit ended the lost attempt. */
async function expectNoticedByHeartbeats({ headers }: Answer): Promise<void> {
  const workflowId = headers.get('x-workflow-id') ?? '';
  const started = await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_STARTED');
  const failures = started.flatMap(
    ({ activityTaskStartedEventAttributes: attributes }) => attributes?.lastFailure?.message ?? [],
  );
  expect(failures).toEqual([expect.stringMatching(/heartbeat/i)]);
}

async function holderOf(workers: readonly PartProcess[]): Promise<PartProcess> {
  const pid = await pidOfActivity(stage, (await onlyRun(stage)).workflowId);
  const holder = workers.find((worker) => worker.pid === pid);
  if (holder === undefined) throw new Error(`no worker has the pid ${pid}`);
  return holder;
}

describe('a worker killed in the middle of a tool call', () => {
  test('is followed by a worker that was there already', async () => {
    const workers = await Promise.all([stage.worker(), stage.worker()]);
    const answer = execute(apiCall(`${peer.url}/held`));
    await peer.arrived('/held');

    await killAndResume(await holderOf(workers), '/held');

    peer.release('/held');
    const answered = await answer;
    const { status, body } = answered;
    expect(status).toBe(200);
    await expectNoticedByHeartbeats(answered);
    expect(body.data).toMatchObject({
      toolName: 'api_call',
      result: { status: 200, data: { path: '/held' } },
    });
    expect(await figures(api)).toEqual(succeeded(1));
  });

  test('is followed by a worker that is started afterwards, and steps that were done are not done again', async () => {
    const worker = await stage.worker();
    const tools = ['/first', '/held', '/last'].map((path) => apiCall(peer.url + path));
    const answer = api.post('/api/tools/execute-sequential', { tools: [...tools, calculator('add', 1, 2)] });
    await peer.arrived('/held');

    await killAndResume(worker, '/held', () => stage.worker());

    peer.release('/held');
    const answered = await answer;
    const { status, body } = answered;
    expect(status).toBe(200);
    await expectNoticedByHeartbeats(answered);
    expect(body.data.results).toHaveLength(4);
    expect(peer.count('/first')).toBe(1);
    expect(peer.count('/held')).toBe(2);
    expect(peer.count('/last')).toBe(1);
    expect(await figures(api)).toEqual(succeeded(4));
  });
});

test('a request that is repeatable is sent again with the key of its call, also after a reset of its run', async () => {
  const worker = await stage.worker();
  const items = ['/held', '/other'];
  const config = {
    method: 'POST',
    repeatable: true,
    headers: { 'x-run': '{{run.id}}/{{step.id}}/{{index}}' },
  };
  const body = customBody([fetchStep('pay', `${peer.url}{{item}}`, config, { forEach: { items } })]);
  const answer = api.post('/api/workflow/execute-custom', body);
  await Promise.all(items.map((path) => peer.arrived(path)));
  await killAndResume(worker, '/held', () => stage.worker());
  peer.release('/held');
  const { status, headers } = await answer;
  expect(status).toBe(200);

  const workflowId = headers.get('x-workflow-id') ?? '';
  await stage.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId: headers.get('x-trace-id') ?? '' },
    reason: 'the test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: 4 as never,
  });
  await stage.client.workflow.getHandle(workflowId).result();
  const sentTo = (path: string) => peer.requests.filter((request) => request.path === path);
  const [first] = sentTo('/held');
  for (const name of ['idempotency-key', 'x-run']) {
    expect(sentTo('/held').map((request) => request.headers[name])).toEqual(
      Array(3).fill(first?.headers[name]),
    );
  }
  expect(first?.headers['x-run']).toBe(`${headers.get('x-trace-id')}/pay/0`);
  expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(sentTo('/other').map((request) => request.headers['idempotency-key'])).not.toContain(
    first?.headers['idempotency-key'],
  );
});

describe('a request that may not be sent twice', () => {
  const TIMEOUT_MS = 4_000;

  test('whose worker is killed fails when its time is over, says why, and was sent once', async () => {
    const worker = await stage.worker();
    const answer = execute({ ...apiPost(`${peer.url}/held`), options: { timeout: TIMEOUT_MS } });
    await peer.arrived('/held');
    await worker.kill();
    await stage.worker();

    const { status, body, headers } = await answer;
    expect(status).toBe(500);
    const workflowId = headers.get('x-workflow-id') ?? '';
    expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT')).toHaveLength(1);
    expect(body).toMatchObject({
      success: false,
      message: 'Tool execution timeout',
      error: expect.stringMatching(/within 4000 ms .*its worker was lost.*not sent again/),
      details: { toolName: 'api_call', timeout: TIMEOUT_MS },
    });
    expect(peer.count('/held')).toBe(1);
    expect(await figures(api)).toEqual({ totalExecutions: 1, successfulExecutions: 0, failedExecutions: 1 });
  });

  test('whose worker is stopped before its end fails at once, and was sent once', async () => {
    const worker = await stage.worker({ SHUTDOWN_GRACE_MS: '500' });
    const answer = execute(apiPost(`${peer.url}/held`));
    await peer.arrived('/held');
    const [code] = await Promise.all([worker.stop(), stage.worker()]);
    expect(code).toBe(0);

    const { status, body } = await answer;
    expect([status, body.message]).toEqual([500, 'Tool execution failed']);
    expect(body.error).toContain('not sent again');
    expect(peer.count('/held')).toBe(1);
  });

  test('is given up when its run is cancelled', async () => {
    await stage.worker();
    // A limit that is longer than the test waits, so that only the cancellation ends the request.
    const patient = await stage.api({ TOOL_TIMEOUT_MS: '290000' });
    const answer = patient.post('/api/tools/execute', apiPost(`${peer.url}/held`));
    await peer.arrived('/held');
    await stage.client.workflow.getHandle((await onlyRun(stage)).workflowId).cancel();
    expect((await answer).body.message).toBe('Run cancelled');
    // The worker learns of it with the next heartbeat that the SDK sends, about a second later.
    await waitFor(() => peer.waiting === 0, { what: 'the request to be given up' });
  });
});

describe('a worker killed in the middle of a light run is followed by another', () => {
  const next = calculator('multiply', '{{previous_result}}', 10);
  const tools = [calculator('multiply', 6, 7), next, next];

  test.each<[string, string, unknown, unknown, number]>([
    ['one call', '/api/tools/execute', calculator('multiply', 6, 7), { result: 42 }, 1],
    [
      'three that share a step',
      '/api/tools/execute-sequential',
      { tools },
      { results: [42, 420, 4_200].map((result) => ({ data: { result } })) },
      3,
    ],
    [
      'three steps of a workflow',
      '/api/workflow/execute-custom',
      customBody([sumStep('a', 1, 2), sumStep('b', '{{a.result}}', 1), sumStep('c', '{{b.result}}', 1)]),
      { results: { a: { result: 3 }, b: { result: 4 }, c: { result: 5 } } },
      3,
    ],
  ])('%s', async (_what, path, body, data, count) => {
    const worker = await stage.worker();
    // The lock keeps the calls from being counted, and so the step from ending, until the worker is killed.
    const unlock = holdWriteLock(stage.dataDir);
    const answering = api.post(path, body);
    const { workflowId } = await onlyRun(stage);
    await happened(workflowId, 'EVENT_TYPE_WORKFLOW_TASK_STARTED');
    await worker.kill();
    unlock();
    await stage.worker();

    const answer = await answering;
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject(data as object);
    expect(await figures(api)).toEqual(succeeded(count));
    expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_MARKER_RECORDED')).toHaveLength(1);
  });
});

test('a worker that stands still for longer than a call may take finds it failed, and counted once', async () => {
  // The time is long enough for a busy machine to send the request within it.
  const worker = await stage.worker();
  const answer = execute({ ...apiCall(`${peer.url}/held`), options: { timeout: 5_000 } });
  await peer.arrived('/held');
  const { workflowId } = await onlyRun(stage);
  worker.signal('SIGSTOP');
  await happened(workflowId, 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT');
  worker.signal('SIGCONT');

  const { status, body } = await answer;
  expect([status, body.message]).toEqual([500, 'Tool execution timeout']);
  // The worker's own attempt at the call has ended by now and has counted it too.
  expect(await worker.stop()).toBe(0);
  expect(await figures(api)).toEqual({ totalExecutions: 1, successfulExecutions: 0, failedExecutions: 1 });
});

describe('a worker killed after it counted a call and before it could report it', () => {
  let proxy: TcpProxy;
  let worker: PartProcess;

  beforeEach(async () => {
    proxy = await startTcpProxy(stage.settings['TEMPORAL_ADDRESS'] ?? '');
    worker = await stage.worker({ TEMPORAL_ADDRESS: proxy.address });
    // Once one call is done, the worker waits for the next.
    await execute(calculator('add', 1, 1));
  });

  afterEach(() => proxy.close());

  async function killOnceCounted(count: number): Promise<void> {
    await waitFor(async () => (await figures(api)).totalExecutions === count, {
      what: 'the call to be counted',
    });
    await worker.kill();
    await stage.worker();
  }

  test('does not count an inline call twice', async () => {
    proxy.holdRequests();
    const answer = execute(calculator('add', 1, 2));
    await killOnceCounted(2);

    const { headers, body } = await answer;
    expect(body.data.result).toBe(3);
    const workflowId = headers.get('x-workflow-id') ?? '';
    expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT')).toHaveLength(1);
    expect(await figures(api)).toEqual(succeeded(2));
  });

  test('does not count another call twice', async () => {
    const answer = execute(apiCall(`${peer.url}/held`));
    await peer.arrived('/held');
    proxy.holdRequests();
    peer.release('/held');
    await killOnceCounted(2);

    expect((await answer).status).toBe(200);
    expect(peer.count('/held')).toBe(2);
    expect(await figures(api)).toEqual(succeeded(2));
  });
});
