import { randomUUID } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import { apiCall, calculator } from '../support/calls';
import { clearMemories, LEXICAL } from '../support/memories';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, type RunIds, startRun, stopRun } from '../support/stop-runs';

const CONTINUE_AS_NEW = temporal.api.enums.v1.CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION;

let stage: Stage;
let api: Api;

/** There is no worker until the last test starts one. */
beforeAll(async () => {
  stage = await openStage();
  api = await stage.api({ ...LEXICAL, WAIT_LIMIT_MS: '1000' });
});
afterAll(() => stage.close());

const start = (): Promise<RunIds> => startRun(api, '/api/tools/execute', apiCall(`${stage.peer.url}/never`));
const HOW = ['cancel', 'terminate'] as const;

/** Starts a workflow that the API does not start in this form. */
async function startWorkflow(type: string, taskQueue = stage.taskQueue): Promise<RunIds> {
  const { workflowId, firstExecutionRunId: traceId } = await stage.client.workflow.start(type, {
    workflowId: `stop/${randomUUID()}`,
    taskQueue,
  });
  return { workflowId, traceId };
}

/** Takes the one workflow task there is, and lets its run continue as new. */
async function continueAsNew(type: string): Promise<void> {
  const { connection } = stage.client;
  const taskQueue = { name: stage.taskQueue };
  const { taskToken } = await connection.withDeadline(Date.now() + 10_000, () =>
    connection.workflowService.pollWorkflowTaskQueue({ namespace: 'default', taskQueue, identity: 'test' }),
  );
  await connection.workflowService.respondWorkflowTaskCompleted({
    namespace: 'default',
    taskToken,
    commands: [
      {
        commandType: CONTINUE_AS_NEW,
        continueAsNewWorkflowExecutionCommandAttributes: { workflowType: { name: type }, taskQueue },
      },
    ],
  });
}

test('a terminated run has the reason in its record, and stays as it is', async () => {
  const run = await start();
  const { status, body } = await stopRun(api, 'terminate', run, { reason: 'it was a mistake' });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    ...run,
    runId: run.traceId,
    status: 'terminated',
    error: { code: 'RUN_CANCELLED', message: 'The run was terminated: it was a mistake' },
  });
  for (const how of HOW) {
    const again = await stopRun(api, how, run, { reason: 'again' });
    expect([again.status, again.body.data]).toEqual([200, body.data]);
  }
});

test('a run that continued as new is stopped as its chain is', async () => {
  const run = await startWorkflow('reindexMemories');
  await continueAsNew('reindexMemories');
  const { status, body } = await stopRun(api, 'terminate', run, { reason: 'enough' });
  expect([status, body.data.status, body.data.traceId]).toEqual([200, 'terminated', run.traceId]);
});

describe('is refused', () => {
  test.each<[string, (typeof HOW)[number], unknown, string]>([
    ['a cancellation with an unknown field', 'cancel', { reasons: 'x' }, 'reasons'],
    ['a cancellation for a reason that is too long', 'cancel', { reason: 'x'.repeat(501) }, 'reason'],
    ['a cancellation for a blank reason', 'cancel', { reason: ' ' }, 'reason'],
    ['a cancellation for half a character', 'cancel', { reason: 'x\ud800' }, 'reason'],
    ['a termination for half a character', 'terminate', { reason: 'x\ud800' }, 'reason'],
    ['a cancellation for a reason that is no text', 'cancel', { reason: 1 }, 'reason'],
    ['a termination without a reason', 'terminate', {}, 'reason'],
    ['a termination without a body', 'terminate', undefined, 'reason'],
    ['a termination with an unknown field', 'terminate', { reason: 'x', force: true }, 'force'],
  ])('%s', async (_, how, body, field) => {
    const { status, body: answer } = await stopRun(
      api,
      how,
      { traceId: randomUUID(), workflowId: 'x' },
      body,
    );
    expect([status, answer.details?.field]).toEqual([400, field]);
  });

  test.each(HOW)('what is not a trace id, and an unknown parameter: %s', async (how) => {
    const body = { reason: 'x' };
    expect((await api.post(`/api/runs/none/${how}`, body)).status).toBe(400);
    expect((await api.post(`/api/runs/${randomUUID()}/${how}?workflowid=x`, body)).status).toBe(400);
  });

  test.each(HOW)('a run that is unknown, and one of another application: %s', async (how) => {
    const other = await startWorkflow('chargeCreditCard', `other-${randomUUID()}`);
    const asLookup = async (run: RunIds): Promise<Answer> =>
      api.get(`/api/runs/${run.traceId}?workflowId=${encodeURIComponent(run.workflowId)}`);
    for (const run of [other, { traceId: randomUUID(), workflowId: 'none' }]) {
      const { status, body } = await stopRun(api, how, run, { reason: 'x' });
      expect([status, body]).toEqual([404, (await asLookup(run)).body]);
    }
    expect((await api.post(`/api/runs/${randomUUID()}/${how}`, { reason: 'x' })).status).toBe(404);
    const handle = stage.client.workflow.getHandle(other.workflowId);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await handle.terminate();
  });
});

test('without a worker a cancellation is kept until there is one, and an erasure is not stopped', async () => {
  const erasure = await clearMemories(api, 'ada');
  const erasing = {
    traceId: erasure.headers.get('x-trace-id') ?? '',
    workflowId: erasure.headers.get('x-workflow-id') ?? '',
  };
  for (const how of HOW) {
    const { status, body } = await stopRun(api, how, erasing, { reason: 'x' });
    expect([status, body.message, body.details]).toEqual([409, 'Run cannot be stopped', erasing]);
  }

  const run = await start();
  for (const reason of ['first', 'second']) {
    const { status, body } = await stopRun(api, 'cancel', run, { reason });
    expect([status, body.message]).toEqual([202, 'The run is being stopped']);
    expect(body.data).toMatchObject({ ...run, runId: run.traceId, status: 'running', closedAt: null });
  }
  await stage.worker(LEXICAL);
  const { body } = await endedRun(api, run);
  expect(body.data).toMatchObject({
    status: 'cancelled',
    error: { code: 'RUN_CANCELLED', message: 'The run was cancelled: first' },
  });
  expect(stage.peer.count('/never')).toBe(0);
  expect((await endedRun(api, erasing)).body.data.status).toBe('completed');

  const done = await startRun(api, '/api/tools/execute', calculator('add', 1, 2));
  const completed = (await endedRun(api, done)).body.data;
  const unchanged = await stopRun(api, 'cancel', done);
  expect([unchanged.status, unchanged.body.data]).toEqual([
    200,
    { ...completed, runId: done.traceId, status: 'completed' },
  ]);
});
