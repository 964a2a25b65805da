import type { PartProcess } from '../support/process';
import { countedSince, eventsOf, figures } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { waitFor } from '../support/wait';
import { customBody, fetchStep, type RequestedStep, resultsOf, sumStep } from '../support/workflow-steps';
import { runWith } from './killed/work';

let stage: Stage;
let api: Api;
/** The worker that runs at present; each test leaves one, and calls the peer by paths that no other test has. */
let worker: PartProcess;

beforeAll(async () => {
  stage = await openStage();
  [api, worker] = await Promise.all([stage.api(), stage.worker()]);
});
afterAll(() => stage.close());

const execute = (steps: readonly RequestedStep[], inputs = {}) =>
  api.post('/api/workflow/execute-custom', customBody(steps, inputs));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Kills the worker, and starts another one. */
async function replaceWorker(): Promise<void> {
  await worker.kill();
  worker = await stage.worker();
}

describe('a worker killed in the middle of ten steps', () => {
  const pathOf = (run: string, n: number): string => `${[4, 8].includes(n) ? '/held' : ''}/${run}/${n}`;
  const tenSteps = (run: string): RequestedStep[] =>
    numbers(10).map((n) => {
      // Each step uses the result of the step before it, so none can be missing.
      const before = n === 1 ? '{{input.start}}' : `{{step${n - 1}.result.status}}`;
      return fetchStep(`step${n}`, stage.peer.url + pathOf(run, n), { headers: { 'x-before': before } });
    });

  test('twice: what was done is not done again, and the caller gets the whole result', async () => {
    const { peer } = stage;
    const before = await figures(api);
    const answer = execute(tenSteps('twice'), { start: 'now' });
    for (const held of ['/held/twice/4', '/held/twice/8']) {
      await peer.arrived(held);
      await Promise.all([replaceWorker(), peer.arrived(held, 2)]);
      peer.release(held);
    }

    const done = await answer;
    expect(done.status).toBe(200);
    expect(Object.keys(resultsOf(done))).toEqual(numbers(10).map((n) => `step${n}`));
    for (const n of numbers(10)) {
      const path = pathOf('twice', n);
      expect([n, peer.count(path)]).toEqual([n, path.startsWith('/held') ? 2 : 1]);
    }
    expect(peer.requests.at(-1)!.headers['x-before']).toBe('200');
    expect(await countedSince(before, api)).toEqual({
      totalExecutions: 10,
      successfulExecutions: 10,
      failedExecutions: 0,
    });
  });

  test('before it could report a step: that one alone runs again', async () => {
    const { peer } = stage;
    const answer = execute(tenSteps('unreported'), { start: 'now' });
    await peer.arrived('/held/unreported/4');
    // The stopped worker cannot report the answer, so the engine gives the step to another worker.
    worker.signal('SIGSTOP');
    peer.release('/held/unreported/4');
    peer.release('/held/unreported/8');
    await replaceWorker();

    expect(resultsOf(await answer)).toMatchObject({ step10: { status: 200 } });
    const counts = numbers(10).map((n) => peer.count(pathOf('unreported', n)));
    expect(counts).toEqual([1, 1, 1, 2, 1, 1, 1, 1, 1, 1]);
  });

  test('at any moment: no step is asked for more often than it was given out', async () => {
    const { peer } = stage;
    const pathOfStep = (n: number): string => `/moment/${n}`;
    const answer = execute(numbers(10).map((n) => fetchStep(`step${n}`, peer.url + pathOfStep(n))));
    for (const n of [2, 6]) {
      await peer.arrived(pathOfStep(n), 1);
      await replaceWorker();
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
      expect(peer.count(pathOfStep(n))).toBeGreaterThanOrEqual(1);
      expect(peer.count(pathOfStep(n))).toBeLessThanOrEqual(attempts[n - 1]!);
    }
    expect(peer.requests.filter(({ path }) => path.startsWith('/moment')).length).toBeLessThanOrEqual(12);
  });
});

describe('twenty results of 250 KB in one run arrive whole', () => {
  let large: StubPeer;
  const SIZE = 250_000;

  beforeEach(async () => {
    large = await startStubPeer(({ path }, response) =>
      sendJson(response, 200, { path, text: path.at(-1)!.repeat(SIZE) }),
    );
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
  const before = await figures(api);
  const answer = execute([
    sumStep('done', 1, 2),
    fetchStep('one', `${peer.url}/held/cancelled/one`),
    fetchStep('two', `${peer.url}/held/cancelled/two`, {}, { dependsOn: ['done'], continueOnError: true }),
    fetchStep('never', `${peer.url}/never`),
  ]);
  await Promise.all([peer.arrived('/held/cancelled/one'), peer.arrived('/held/cancelled/two')]);
  const { workflowId, runId } = await runWith(stage, '/held/cancelled/one');
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
  expect(await countedSince(before, api)).toEqual({
    totalExecutions: 3,
    successfulExecutions: 1,
    failedExecutions: 2,
  });
  expect(peer.count('/never')).toBe(0);
  // Once the worker knows of the end, with its next heartbeat, it closes its connections to the peer.
  await waitFor(() => peer.waiting === 0, { what: 'both requests to be given up' });
  expect(await worker.stop()).toBe(0);
});
