import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';
import { answerTask, cancel, complete, continueAsNew, fail } from '../support/workflow-tasks';

let stage: Stage;
let api: Api;
let started: WorkflowHandle[];
let since: string;

/** There is no worker: the test takes the workflow tasks itself, and so decides how each run ends. */
beforeAll(async () => {
  stage = await openStage();
  api = await stage.api();
});
beforeEach(async () => {
  started = [];
  // Each test lists only what it starts.
  since = new Date().toISOString();
  await waitFor(() => Date.now() > Date.parse(since), { what: 'the next millisecond' });
});
afterEach(async () => {
  for (const handle of started) await handle.terminate().catch(() => undefined);
});
afterAll(() => stage.close());

interface Listed {
  readonly traceId: string;
  readonly startedAt: string;
  readonly status: string;
  readonly type: string;
}

const ask = (query: string): Promise<Answer> => api.get(`/api/runs?${query}`);
/** A list of what the test has started. */
const list = (query = ''): Promise<Answer> =>
  ask(query.includes('since=') ? query.slice(1) : `since=${since}&${query.slice(1)}`);
const runsOf = ({ body }: Answer): Listed[] => (body as { data: { runs: Listed[] } }).data.runs;
const idsOf = (answer: Answer): string[] => runsOf(answer).map(({ traceId }) => traceId);

async function start(type: string, taskQueue = stage.taskQueue): Promise<{ id: string; runId: string }> {
  const handle = await stage.client.workflow.start(type, {
    workflowId: `list/${randomUUID()}`,
    taskQueue,
    args: [],
  });
  started.push(stage.client.workflow.getHandle(handle.workflowId));
  return { id: handle.workflowId, runId: handle.firstExecutionRunId };
}

/** Waits until a list is what is expected of it, because the server's index is a little behind. */
function lists(query: string, ids: readonly string[]): Promise<Answer> {
  return waitFor(
    async () => {
      const answer = await list(query);
      return answer.status === 200 && idsOf(answer).join() === ids.join() ? answer : undefined;
    },
    { what: `${query} to list ${ids.join()}` },
  );
}

test('runs are listed newest first, by status, type and start, without their results', async () => {
  const ended = await start('executeTool');
  await answerTask(stage, complete({ about: 1 }));
  const failed = await start('executeTool');
  await answerTask(stage, fail('TOOL_EXECUTION_FAILED'));
  const cancelled = await start('agentTurn');
  await stage.client.workflow.getHandle(cancelled.id).cancel();
  await answerTask(stage, cancel());
  const terminated = await start('agentTurn');
  await stage.client.workflow.getHandle(terminated.id).terminate();
  const open = await start('mcpExecution');

  const newestFirst = [open, terminated, cancelled, failed, ended].map(({ runId }) => runId);
  const all = await lists('', newestFirst);
  expect(all.body).toMatchObject({ success: true, message: 'Found 5 runs' });
  expect(all.body.data.next).toBeUndefined();
  expect(runsOf(all)[4]).toEqual({
    runId: ended.runId,
    traceId: ended.runId,
    workflowId: ended.id,
    type: 'executeTool',
    status: 'completed',
    startedAt: expect.any(String),
    closedAt: expect.any(String),
  });
  const { body } = await api.get(`/api/runs/${ended.runId}?workflowId=${encodeURIComponent(ended.id)}`);
  const { result, steps, usage: _, ...record } = body.data;
  expect([result, steps]).toEqual([{ about: 1 }, []]);
  expect(runsOf(all)[4]).toEqual(record);
  expect(runsOf(all)[0]).toMatchObject({ status: 'running', closedAt: null });
  const statuses = await Promise.all(
    ['completed', 'failed', 'cancelled', 'terminated', 'running', 'timed_out'].map((status) =>
      list(`?status=${status}`),
    ),
  );
  expect(statuses.map(idsOf)).toEqual([
    [ended.runId],
    [failed.runId],
    [cancelled.runId],
    [terminated.runId],
    [open.runId],
    [],
  ]);
  expect(idsOf(await list('?type=agentTurn'))).toEqual([terminated.runId, cancelled.runId]);
  expect(idsOf(await list('?type=agentTurn&status=cancelled'))).toEqual([cancelled.runId]);
  const at = runsOf(all)[2]?.startedAt ?? '';
  // The start has more digits than the record shows.
  const after = new Date(Date.parse(at) + 1).toISOString();
  expect(idsOf(await list(`?since=${at}`))).toEqual(newestFirst.slice(0, 3));
  expect(idsOf(await list(`?until=${after}`))).toEqual(newestFirst.slice(2));
  expect(idsOf(await list(`?since=${at}&until=${after}`))).toEqual([cancelled.runId]);
  const today = at.slice(0, 10);
  expect(idsOf(await list(`?since=${today}&until=${today}`))).toEqual(newestFirst);
  expect(idsOf(await list('?until=2020-01-01'))).toEqual([]);
});

test('runs of other applications and of other task queues are not listed', async () => {
  const other = `other-${randomUUID()}`;
  await start('payCard');
  await start('executeTool', other);
  const mine = await start('executeTool');
  await lists('', [mine.runId]);
  await waitFor(
    async () => {
      const { count } = await stage.client.workflow.count(
        `TaskQueue = '${other}' OR (TaskQueue = '${stage.taskQueue}' AND WorkflowType = 'payCard')`,
      );
      return count === 2;
    },
    { what: 'the index to have the others' },
  );
  expect(idsOf(await list())).toEqual([mine.runId]);
});

test('a run that continued as new is listed once, as its chain', async () => {
  const { id, runId } = await start('importRecords');
  await answerTask(stage, continueAsNew(stage, 'importRecords'));
  await answerTask(stage, continueAsNew(stage, 'importRecords'));
  await lists('?status=running', [runId]);
  await lists('', [runId]);
  await answerTask(stage, complete({ rows: 2 }));
  const [listed] = runsOf(await lists('?status=completed', [runId]));
  const { body } = await api.get(`/api/runs/${runId}?workflowId=${encodeURIComponent(id)}`);
  const { result: _result, steps: _steps, usage: _usage, ...record } = body.data;
  expect(listed).toEqual(record);
});

test('a task queue with a quote lists its own runs only', async () => {
  const taskQueue = `it's' OR WorkflowType != '${randomUUID()}`;
  const odd = await stage.api({ TASK_QUEUE: taskQueue });
  const { runId } = await start('executeTool', taskQueue);
  await start('executeTool');
  const found = await waitFor(
    async () => {
      const answer = await odd.get('/api/runs');
      return answer.status === 200 && idsOf(answer).length > 0 ? idsOf(answer) : undefined;
    },
    { what: 'the run to be listed' },
  );
  expect(found).toEqual([runId]);
});
