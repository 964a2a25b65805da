import type { PartProcess } from '../support/process';
import { eventsOf, figures, onlyRun } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { waitFor } from '../support/wait';
import {
  customBody,
  fetchStep,
  type RequestedStep,
  resultsOf,
  sumStep,
  toolStep,
} from '../support/workflow-steps';

let stage: Stage;
let api: Api;

beforeEach(async () => {
  stage = await openStage();
  api = await stage.api();
});
afterEach(() => stage.close());

const execute = (steps: readonly RequestedStep[], inputs = {}) =>
  api.post('/api/workflow/execute-custom', customBody(steps, inputs));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Kills a worker, starts another one, and waits until that repeats the request that the killed worker had sent. */
async function replace(worker: PartProcess, path: string): Promise<void> {
  await worker.kill();
  await Promise.all([stage.worker(), stage.peer.arrived(path, 2)]);
}

describe('a worker killed in the middle of ten steps', () => {
  const pathOf = (n: number): string => ([4, 8].includes(n) ? `/held/${n}` : `/step/${n}`);
  const tenSteps = (): RequestedStep[] =>
    numbers(10).map((n) => {
      // Each step uses the result of the step before it, so none can be missing.
      const before = n === 1 ? '{{input.start}}' : `{{step${n - 1}.result.status}}`;
      return fetchStep(`step${n}`, stage.peer.url + pathOf(n), { headers: { 'x-before': before } });
    });

  test('twice: what was done is not done again, and the caller gets the whole result', async () => {
    const { peer } = stage;
    const first = await stage.worker();
    const answer = execute(tenSteps(), { start: 'now' });
    await peer.arrived('/held/4');
    await first.kill();
    const [second] = await Promise.all([stage.worker(), peer.arrived('/held/4', 2)]);
    peer.release('/held/4');
    await peer.arrived('/held/8');
    await replace(second, '/held/8');
    peer.release('/held/8');

    const done = await answer;
    expect(done.status).toBe(200);
    expect(Object.keys(resultsOf(done))).toEqual(numbers(10).map((n) => `step${n}`));
    for (const n of numbers(10)) {
      expect([n, peer.count(pathOf(n))]).toEqual([n, pathOf(n).startsWith('/held') ? 2 : 1]);
    }
    expect(peer.requests.at(-1)!.headers['x-before']).toBe('200');
    expect(await figures(api)).toEqual({
      totalExecutions: 10,
      successfulExecutions: 10,
      failedExecutions: 0,
    });
  });

  test('beside light steps of which one has failed: the run goes on as its history says', async () => {
    const { peer } = stage;
    const worker = await stage.worker();
    const read = (id: string, path: string, more: object): RequestedStep =>
      toolStep(id, 'json_reader', { jsonString: '{"a":1}', path }, { dependsOn: [], ...more });
    const answer = execute([
      read('absent', '$.b', { continueOnError: true }),
      fetchStep('first', `${peer.url}/held/1`, {}, { dependsOn: ['absent'] }),
      read('each', '$.a', { forEach: { items: numbers(5), concurrency: 4 } }),
      fetchStep('second', `${peer.url}/held/2`, {}, { dependsOn: ['each'] }),
    ]);
    const arrive = (times: number) =>
      Promise.all(['/held/1', '/held/2'].map((path) => peer.arrived(path, times)));
    await arrive(1);
    await worker.kill();
    await Promise.all([stage.worker(), arrive(2)]);
    peer.release('/held/1');
    peer.release('/held/2');
    expect(resultsOf(await answer)).toMatchObject({
      absent: null,
      first: { status: 200 },
      second: { status: 200 },
    });
  });

  test('before it could report a step: that one alone runs again', async () => {
    const { peer } = stage;
    const worker = await stage.worker();
    const answer = execute(tenSteps(), { start: 'now' });
    await peer.arrived('/held/4');
    // The stopped worker cannot report the answer, so the engine gives the step to another worker.
    worker.signal('SIGSTOP');
    peer.release('/held/4');
    peer.release('/held/8');
    await worker.kill();
    await stage.worker();

    expect(resultsOf(await answer)).toMatchObject({ step10: { status: 200 } });
    for (const n of numbers(10).filter((one) => one !== 4)) expect(peer.count(pathOf(n))).toBe(1);
    expect(peer.count('/held/4')).toBe(2);
  });

  test('at any moment: no step is asked for more often than it was given out', async () => {
    const { peer } = stage;
    const steps = numbers(10).map((n) => fetchStep(`step${n}`, `${peer.url}/step/${n}`));
    let worker = await stage.worker();
    const answer = execute(steps);
    for (const n of [2, 6]) {
      await peer.arrived(`/step/${n}`, 1);
      await worker.kill();
      worker = await stage.worker();
    }
    const done = await answer;
    expect(Object.keys(resultsOf(done))).toHaveLength(10);
    const started = await eventsOf(
      stage,
      done.headers.get('x-workflow-id') ?? '',
      'EVENT_TYPE_ACTIVITY_TASK_STARTED',
    );
    const attempts = started.map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 0);
    for (const n of numbers(10)) {
      expect(peer.count(`/step/${n}`)).toBeGreaterThanOrEqual(1);
      expect(peer.count(`/step/${n}`)).toBeLessThanOrEqual(attempts[n - 1]!);
    }
    expect(peer.requests.length).toBeLessThanOrEqual(12);
  });
});

test('a worker killed in the middle of a forEach step: the items that were done are not done again', async () => {
  const { peer } = stage;
  const worker = await stage.worker();
  const items = ['/one', '/two', '/held/three', '/four', '/five'];
  const answer = execute([
    fetchStep('each', `${peer.url}{{item}}`, {}, { forEach: { items, concurrency: 1 } }),
    sumStep('last', '{{each.result[4].status}}', 1),
  ]);
  await peer.arrived('/held/three');
  await replace(worker, '/held/three');
  peer.release('/held/three');

  expect(resultsOf(await answer)['last']).toBe(201);
  expect(items.map((path) => peer.count(path))).toEqual([1, 1, 2, 1, 1]);
});

describe('twenty results of 250 KB in one run arrive whole', () => {
  let large: StubPeer;
  const SIZE = 250_000;

  beforeEach(async () => {
    large = await startStubPeer(({ path }, response) =>
      sendJson(response, 200, { path, text: path.at(-1)!.repeat(SIZE) }),
    );
    await stage.worker();
  });
  afterEach(() => large.close());

  test.each([
    ['one after another', {}],
    ['at once', { dependsOn: [] }],
  ])('%s', async (_order, more) => {
    const steps = numbers(20).map((n) => fetchStep(`s${n}`, `${large.url}/${n}`, {}, more));
    const last = fetchStep('last', `${large.url}/last`, {
      method: 'POST',
      body: { first: '{{s1.result.data.text}}', last: '{{s20.result.data.text}}' },
    });
    const answer = await execute([...steps, last]);
    const results = resultsOf(answer) as Record<string, { data: { path: string; text: string } }>;
    for (const n of numbers(20)) {
      const { path, text } = results[`s${n}`]!.data;
      expect([path, text.length, text.at(-1)]).toEqual([`/${n}`, SIZE, String(n).at(-1)]);
    }
    const sent = JSON.parse(large.requests.at(-1)!.body) as { first: string; last: string };
    expect([sent.first.length, sent.last.length]).toEqual([SIZE, SIZE]);
    expect(large.requests).toHaveLength(21);
  });
});

test('a run that is cancelled while two steps go on ends, gives up both, and counts both', async () => {
  const { peer } = stage;
  const worker = await stage.worker();
  const answer = execute([
    sumStep('done', 1, 2),
    fetchStep('one', `${peer.url}/held/one`),
    fetchStep('two', `${peer.url}/held/two`, {}, { dependsOn: ['done'], continueOnError: true }),
    fetchStep('never', `${peer.url}/never`),
  ]);
  await Promise.all([peer.arrived('/held/one'), peer.arrived('/held/two')]);
  const { workflowId, runId } = await onlyRun(stage);
  await stage.client.workflow.getHandle(workflowId).cancel();

  const { status, body } = await answer;
  expect(status).toBe(500);
  expect(body).toMatchObject({
    success: false,
    message: 'Run cancelled',
    error: 'The run was cancelled by an operator',
    details: { workflowId, traceId: runId },
  });
  expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED')).toHaveLength(2);
  expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED')).toHaveLength(1);
  expect(await figures(api)).toEqual({ totalExecutions: 3, successfulExecutions: 1, failedExecutions: 2 });
  expect(peer.count('/never')).toBe(0);
  // Once the worker knows of the end, with its next heartbeat, it closes its connections to the peer.
  await waitFor(() => peer.waiting === 0, { what: 'both requests to be given up' });
  expect(await worker.stop()).toBe(0);
});
