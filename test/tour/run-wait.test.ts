import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { answerTask, complete, continueAsNew, fail } from '../support/workflow-tasks';

let stage: Stage;
let api: Api;
let started: WorkflowHandle[];
/** How long a request waits that names no time. */
const WAIT_LIMIT_MS = 200_000;

/** There is no worker: the test takes the workflow tasks itself, and so decides how each run ends. */
beforeAll(async () => {
  stage = await openStage();
  api = await stage.api({ WAIT_LIMIT_MS: String(WAIT_LIMIT_MS) });
});
beforeEach(() => {
  started = [];
});
afterEach(async () => {
  for (const handle of started) await handle.terminate().catch(() => undefined);
});
afterAll(() => stage.close());

interface Run {
  readonly id: string;
  readonly runId: string;
}

async function start(type = 'executeTool'): Promise<Run> {
  const handle = await stage.client.workflow.start(type, {
    workflowId: `wait/${randomUUID()}`,
    taskQueue: stage.taskQueue,
    args: [],
  });
  started.push(stage.client.workflow.getHandle(handle.workflowId));
  return { id: handle.workflowId, runId: handle.firstExecutionRunId };
}

const pathOf = ({ id, runId }: Run, timeout?: string): string =>
  `/api/runs/${runId}/wait?workflowId=${encodeURIComponent(id)}${timeout === undefined ? '' : `&timeout=${timeout}`}`;
const wait = (run: Run, timeout?: string): Promise<Answer> => api.get(pathOf(run, timeout));

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const began = Date.now();
  return [await work, Date.now() - began];
}

test('a run that completes, fails or is terminated ends the wait with a 200', async () => {
  const run = await start();
  const waiting = wait(run);
  await answerTask(stage, complete({ rows: 3 }));
  const { status, body } = await waiting;
  expect(status).toBe(200);
  expect(body.message).toBe('Run retrieved successfully');
  expect(body.data).toEqual({
    runId: run.runId,
    traceId: run.runId,
    workflowId: run.id,
    type: 'executeTool',
    status: 'completed',
    startedAt: expect.any(String),
    closedAt: expect.any(String),
    result: { rows: 3 },
    steps: [],
    usage: NO_USAGE,
  });
  expect((await wait(run, '0')).body.data).toEqual(body.data);

  const failing = await start();
  const other = wait(failing, '20');
  await answerTask(stage, fail('TOOL_EXECUTION_FAILED'));
  const failed = await other;
  expect([failed.status, failed.body.success, failed.body.data.status]).toEqual([200, true, 'failed']);
  expect(failed.body.data.error.code).toBe('TOOL_EXECUTION_FAILED');

  const lasting = await start();
  const third = wait(lasting, '20');
  await stage.client.workflow.getHandle(lasting.id).terminate('enough');
  const terminated = await third;
  expect([terminated.status, terminated.body.data.status]).toEqual([200, 'terminated']);
});

test('an open run is a 202 with its record at the end of the time', async () => {
  const run = await start();
  const [answer, ms] = await timed(wait(run, '1.5'));
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    success: true,
    message: 'The run continues',
    data: {
      runId: run.runId,
      traceId: run.runId,
      workflowId: run.id,
      type: 'executeTool',
      status: 'running',
      startedAt: expect.any(String),
      closedAt: null,
      steps: [],
      usage: NO_USAGE,
    },
  });
  expect(ms).toBeGreaterThan(1_300);
  expect(ms).toBeLessThan(WAIT_LIMIT_MS / 2);
  const [now, short] = await timed(wait(run, '0'));
  expect(now.status).toBe(202);
  expect(short).toBeLessThan(WAIT_LIMIT_MS / 2);
});

test('a run is waited for until the end of its chain', async () => {
  const run = await start('importRecords');
  await answerTask(stage, continueAsNew(stage, 'importRecords'));
  const waiting = wait(run, '20');
  await answerTask(stage, continueAsNew(stage, 'importRecords'));
  expect((await wait(run, '0.5')).status).toBe(202);
  await answerTask(stage, complete('all'));
  const { status, body } = await waiting;
  expect([status, body.data.status, body.data.result, body.data.traceId]).toEqual([
    200,
    'completed',
    'all',
    run.runId,
  ]);
});

test('a caller may leave while it waits', async () => {
  const run = await start();
  const gone = new AbortController();
  const left = fetch(api.url + pathOf(run, '60'), { signal: gone.signal }).catch(() => 'left');
  setTimeout(() => gone.abort(), 300);
  expect(await left).toBe('left');
  // The record is answered to later callers at once, and `stage.close` checks that the API stops.
  expect((await wait(run, '0')).status).toBe(202);
});

test.each(['61', '-1', 'soon', ''])('a timeout of "%s" is a 400', async (timeout) => {
  const { status, body } = await wait({ id: 'x', runId: randomUUID() }, timeout);
  expect([status, body.details.field]).toEqual([400, 'timeout']);
});

test('an unknown run is a 404', async () => {
  const unknown = await wait({ id: 'wait/nothing', runId: randomUUID() }, '5');
  expect(unknown.status).toBe(404);
  const alone = await api.get(`/api/runs/${randomUUID()}/wait?timeout=5`);
  expect(alone.status).toBe(404);
  expect((await api.get('/api/runs/x/wait')).status).toBe(400);
});
