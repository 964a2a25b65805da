import { median } from '../../bench/statistics';
import { readFigures } from '../support/figures';
import { freePort } from '../support/free-port';
import type { Answer } from '../support/http';
import { inlineCall, startInlineCalls } from '../support/inline-calls';
import type { PartProcess } from '../support/process';
import type { Api, Stage } from '../support/stage';
import { openStage } from '../support/stage';
import { pickCount, testThoroughly } from '../support/thorough';
import type { RequestedStep } from '../support/workflow-steps';
import { customBody, resultsOf, toolStep } from '../support/workflow-steps';

jest.setTimeout(400_000);

const ANSWERED_WITHIN_MS = 2_000;
/**
 * On a machine that is so busy that a quiet worker takes long too: how often its slowest call an inline call may
 * take.
 */
const MAX_SLOWER = 4;
/** Seconds, bounds of buckets of the SDK's histogram: of a task, and of one that a busy machine holds up. */
const MAX_TASK = '0.25';
const MAX_HELD_UP = '2.5';
/** Share of tasks that may be held up. */
const MAX_LATE = 0.5;
/** Of a run with a thousand items, bytes. */
const HISTORY_LIMIT_BYTES = 50_000_000;
const QUIET_CALLS = 20;
const SPACES = 900_000;

let stage: Stage;
let api: Api;
let worker: PartProcess;
let metrics: string;

beforeEach(async () => {
  stage = await openStage();
  metrics = `127.0.0.1:${await freePort()}`;
  [api, worker] = await Promise.all([
    stage.api({ WAIT_LIMIT_MS: '300000' }),
    stage.worker({ METRICS_ADDRESS: metrics }),
  ]);
});
afterEach(() => stage.close());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const execute = (steps: readonly RequestedStep[], inputs = {}): Promise<Answer> =>
  api.post('/api/workflow/execute-custom', customBody(steps, inputs));

interface WorkflowTasks {
  readonly total: number;
  /** Counts those that took at most this number of seconds. */
  readonly upTo: Readonly<Record<string, number>>;
}

/** The workflow tasks of custom workflows, as the worker's SDK measured them. */
async function workflowTasks(): Promise<WorkflowTasks> {
  const upTo: Record<string, number> = {};
  for (const { name, labels, value } of await readFigures(metrics)) {
    const isTask = name === 'temporal_workflow_task_execution_latency_seconds_bucket';
    if (!isTask || labels['workflow_type'] !== 'customWorkflow') continue;
    const bound = labels['le'] ?? '';
    upTo[bound] = (upTo[bound] ?? 0) + value;
  }
  return { total: upTo['+Inf'] ?? 0, upTo };
}

interface Beside {
  readonly answer: Answer;
  /** Milliseconds of the slowest inline call, beside the request and before it, and the ratio of their medians. */
  readonly slowest: number;
  readonly quiet: number;
  readonly ratio: number;
}

/** Sends a request, and makes inline calls until it is answered. */
async function withLightCalls(request: () => Promise<Answer>): Promise<Beside> {
  const quiet: number[] = [];
  for (let call = 0; call < QUIET_CALLS; call += 1) {
    const started = performance.now();
    expect((await inlineCall(api)).status).toBe(200);
    quiet.push(performance.now() - started);
  }
  const light = startInlineCalls(api);
  const answer = await Promise.race([request(), light.failed]);
  await light.stop();
  const slowest = Math.max(...light.times);
  return { answer, slowest, quiet: Math.max(...quiet), ratio: median([...light.times]) / median(quiet) };
}

/**
 * What is to hold beside a request that asks for much: the worker serves other runs as if it were not there.
 * @param late share of workflow tasks that may take longer than `MAX_TASK`
 */
async function expectServed(name: string, { slowest, quiet, ratio }: Beside, late = MAX_LATE): Promise<void> {
  const tasks = await workflowTasks();
  process.stdout.write(`${JSON.stringify({ name, slowest, quiet, ratio, tasks })}\n`);
  expect(worker.running).toBe(true);
  expect(tasks.upTo[MAX_HELD_UP] ?? 0).toBe(tasks.total);
  expect(tasks.total - (tasks.upTo[MAX_TASK] ?? 0)).toBeLessThanOrEqual(late * tasks.total);
  expect(slowest).toBeLessThan(Math.max(ANSWERED_WITHIN_MS, MAX_SLOWER * quiet));
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
    const beside = await withLightCalls(() => execute(steps(numbers(100), []), inputs));
    expect(beside.answer.status).toBe(400);
    expect(beside.answer.body).toEqual({
      success: false,
      message: 'Workflow validation failed',
      error: 'Invalid step configuration',
      details: {
        step: 's1',
        field: 'forEach',
        message: 'the calls of the steps up to this one would send more than 268435456 characters together',
      },
    });
    // Nothing was started.
    expect((await workflowTasks()).total).toBe(0);
    await expectServed('refused', beside);
  });

  testThoroughly('are paced up to what a run may send, where only the run knows the items', async () => {
    const list = toolStep('list', 'json_reader', { jsonString: JSON.stringify(numbers(100)), path: '$' });
    const all = [list, ...steps('{{list.result.result}}', ['list'])];
    const beside = await withLightCalls(() => execute(all, inputs));
    expect(beside.answer.status).toBe(500);
    expect(beside.answer.body.details).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(beside.answer.body.error).toContain(
      "the arguments of the run's calls are longer than 268435456 characters of JSON",
    );
    // Each of its tasks builds one argument of 7 MB, for which a busy machine takes longer.
    await expectServed('ended', beside, 1);
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
  const beside = await withLightCalls(() => execute([step], { b: ' '.repeat(SPACES) }));
  expect(resultsOf(beside.answer)['each']).toEqual(
    numbers(count).map((result) => ({ result, path: '$[0]' })),
  );
  await expectServed('a megabyte each', beside);
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
  const beside = await withLightCalls(() => execute(steps, { list, object }));
  expect(resultsOf(beside.answer)).toMatchObject({ s1: null, s10: null });
  // It has two tasks, each of which a busy machine may hold up.
  await expectServed('conditions', beside, 1);
});

describe('neither limit of the server is reached', () => {
  const echo = (padding: number): object => ({
    name: 'echo_text',
    description: 'Gives its text back',
    parameters: { text: 'string' },
    execute: `// ${'x'.repeat(padding)}\n({ text }) => text`,
  });

  async function historyBytes({ headers }: Answer): Promise<number> {
    const handle = stage.client.workflow.getHandle(headers.get('x-workflow-id') ?? '');
    const { raw } = await handle.describe();
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
    process.stdout.write(
      `${JSON.stringify({ history: await historyBytes(answer), tasks: await workflowTasks() })}\n`,
    );
  });
});
