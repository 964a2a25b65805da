import { toMs } from '../../temporal/proto-time';
import type { Answer } from '../support/http';
import { startInlineCalls } from '../support/inline-calls';
import type { PartProcess } from '../support/process';
import { type EventName, eventsOf, listRuns } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { pickCount, testThoroughly } from '../support/thorough';
import { waitFor } from '../support/wait';
import { customBody, type RequestedStep, resultsOf, toolStep } from '../support/workflow-steps';

jest.setTimeout(400_000);

/** The maximum for a run with a thousand items, bytes. */
const HISTORY_LIMIT_BYTES = 50_000_000;
const SPACES = 900_000;

let stage: Stage;
let api: Api;
let worker: PartProcess;

beforeEach(async () => {
  stage = await openStage();
  [api, worker] = await Promise.all([stage.api({ WAIT_LIMIT_MS: '300000' }), stage.worker()]);
});
afterEach(() => stage.close());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const execute = (steps: readonly RequestedStep[], inputs = {}): Promise<Answer> =>
  api.post('/api/workflow/execute-custom', customBody(steps, inputs));

const runOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';

/** Sends a request, and makes inline calls until it is answered. Fails if an inline call fails. */
async function withInlineCalls(request: () => Promise<Answer>): Promise<Answer> {
  const calls = startInlineCalls(api);
  const answer = await Promise.race([request(), calls.failed]);
  await calls.stop();
  expect(worker.running).toBe(true);
  return answer;
}

/**
 * Expects that each workflow task of a run ended within its time limit, and that there were at least `min` of them.
 * All runs of a worker share one thread, which a run releases between its tasks.
 */
async function expectTasks(answer: Answer, min: number): Promise<void> {
  const ofRun = (name: EventName) => eventsOf(stage, runOf(answer), name);
  expect(await ofRun('EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT')).toEqual([]);
  expect(await ofRun('EVENT_TYPE_WORKFLOW_TASK_FAILED')).toEqual([]);
  const completed = await ofRun('EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
  expect(completed.length).toBeGreaterThanOrEqual(min);
}

/** Expects that runs of inline calls began and ended between the first workflow task of this run and its last one. */
async function expectServedMeanwhile(answer: Answer): Promise<void> {
  const completed = await eventsOf(stage, runOf(answer), 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
  const [first, last] = [completed[0], completed.at(-1)].map((event) => toMs(event?.eventTime));
  await waitFor(
    async () => {
      const runs = await listRuns(stage.client, stage.taskQueue);
      return runs.some(
        ({ type, startTime, closeTime }) =>
          type === 'executeTool' &&
          startTime.getTime() >= Number(first) &&
          Number(closeTime?.getTime()) <= Number(last),
      );
    },
    { what: 'a run that began and ended during the large one' },
  );
}

describe('eight steps of a hundred items that each insert a long input eight times', () => {
  const steps = (items: unknown, dependsOn: readonly string[]): RequestedStep[] =>
    numbers(8).map((n) =>
      toolStep(
        `s${n}`,
        'json_reader',
        { jsonString: `${'{{input.b}}'.repeat(8)}[1]`, path: '$[0]' },
        { dependsOn, continueOnError: true, forEach: { items, concurrency: 50 } },
      ),
    );
  const inputs = { b: ' '.repeat(SPACES) };

  test('are refused before anything runs, where the items are known', async () => {
    const answer = await withInlineCalls(() => execute(steps(numbers(100), []), inputs));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Workflow validation failed',
      error: 'Invalid step configuration',
      details: {
        step: 's1',
        field: 'forEach',
        message: 'the calls of the steps up to this one would send more than 268435456 characters together',
      },
    });
    const types = (await listRuns(stage.client, stage.taskQueue)).map(({ type }) => type);
    expect(types).not.toContain('customWorkflow');
  });

  testThoroughly('are paced up to what a run may send, where only the run knows the items', async () => {
    const list = toolStep('list', 'json_reader', { jsonString: JSON.stringify(numbers(100)), path: '$' });
    const all = [list, ...steps('{{list.result.result}}', ['list'])];
    const answer = await withInlineCalls(() => execute(all, inputs));
    expect(answer.status).toBe(500);
    expect(answer.body.details).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(answer.body.error).toContain(
      "the arguments of the run's calls are longer than 268435456 characters of JSON",
    );
    // An argument has 7 million characters and a task of its own, and the run may send 268 million.
    await expectTasks(answer, 37);
    await expectServedMeanwhile(answer);
  });
});

test('calls that each insert a megabyte end well, and other runs are served meanwhile', async () => {
  const count = pickCount(12, 50);
  const step = toolStep(
    'each',
    'json_reader',
    { jsonString: '{{input.b}}[{{item}}]', path: '$[0]' },
    { forEach: { items: numbers(count), concurrency: 50 } },
  );
  const answer = await withInlineCalls(() => execute([step], { b: ' '.repeat(SPACES) }));
  expect(resultsOf(answer)['each']).toEqual(numbers(count).map((result) => ({ result, path: '$[0]' })));
  // A task starts calls with arguments of up to a megabyte together, which is one call here.
  await expectTasks(answer, count);
  await expectServedMeanwhile(answer);
});

test('a condition on long lists and objects takes time in proportion to them', async () => {
  const list = Array.from({ length: 100_000 }, () => 1);
  const object = Object.fromEntries(numbers(20_000).map((n) => [`n${n}`, n]));
  const steps = numbers(10).map((n) =>
    toolStep(
      `s${n}`,
      'calculator',
      { operation: 'add', a: 1, b: 2 },
      { when: '{{input.list}} contains {{input.object}}', dependsOn: [] },
    ),
  );
  const answer = await withInlineCalls(() => execute(steps, { list, object }));
  expect(resultsOf(answer)).toMatchObject({ s1: null, s10: null });
  // If the worker compared each item with each property, a task would exceed its time limit and fail.
  await expectTasks(answer, 1);
});

describe('neither limit of the server is reached', () => {
  const echo = (padding: number): object => ({
    name: 'echo_text',
    description: 'Gives its text back',
    parameters: { text: 'string' },
    execute: `// ${'x'.repeat(padding)}\n({ text }) => text`,
  });

  async function historyBytes(answer: Answer): Promise<number> {
    const { raw } = await stage.client.workflow.getHandle(runOf(answer)).describe();
    return Number(raw.workflowExecutionInfo?.historySizeBytes);
  }

  test('a hundred and fifty calls at once that each carry a source of 30 KB', async () => {
    expect((await api.post('/api/tools/register', echo(30_000))).status).toBe(201);
    const steps = numbers(3).map((n) =>
      toolStep(
        `s${n}`,
        'echo_text',
        { text: `${n}:{{item}}` },
        { dependsOn: [], forEach: { items: numbers(50), concurrency: 50 } },
      ),
    );
    const answer = await execute(steps);
    expect(resultsOf(answer)).toEqual(
      Object.fromEntries(numbers(3).map((n) => [`s${n}`, numbers(50).map((item) => `${n}:${item}`)])),
    );
  });

  test('items of 25 KB, in and out', async () => {
    const count = pickCount(200, 1_000);
    expect((await api.post('/api/tools/register', echo(0))).status).toBe(201);
    const text = 'x'.repeat(25_000);
    const step = toolStep(
      'each',
      'echo_text',
      { text: '{{item}}{{input.text}}' },
      { forEach: { items: numbers(count), concurrency: 50 } },
    );
    const answer = await execute([step], { text });
    const results = resultsOf(answer)['each'] as string[];
    expect(results.map((one, at) => one === `${at + 1}${text}`)).toEqual(numbers(count).map(() => true));
    expect(await historyBytes(answer)).toBeLessThan((HISTORY_LIMIT_BYTES * count) / 1_000);
  });
});
