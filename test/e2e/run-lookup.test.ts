import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { answerTask, complete, continueAsNew, fail } from '../support/workflow-tasks';

let stage: Stage;
let api: Api;
let started: WorkflowHandle[];

/** There is no worker: the test takes the workflow tasks itself, and so decides how each run ends. */
beforeAll(async () => {
  stage = await openStage();
  api = await stage.api();
});
beforeEach(() => {
  started = [];
});
afterEach(async () => {
  for (const handle of started) await handle.terminate().catch(() => undefined);
});
afterAll(() => stage.close());

const byTrace = (traceId: string, workflowId: string): Promise<Answer> =>
  api.get(`/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`);
const byId = (workflowId: string): Promise<Answer> =>
  api.get(`/api/runs?workflowId=${encodeURIComponent(workflowId)}`);

async function start(type: string, taskQueue = stage.taskQueue): Promise<{ id: string; runId: string }> {
  const handle = await stage.client.workflow.start(type, {
    workflowId: `lookup/${randomUUID()}`,
    taskQueue,
    args: [{ secret: 'of another application' }],
  });
  started.push(stage.client.workflow.getHandle(handle.workflowId));
  return { id: handle.workflowId, runId: handle.firstExecutionRunId };
}

describe('a run that continued as new', () => {
  test.each(['importRecords', 'reindexMemories'])('is found as its chain is: %s', async (type) => {
    const { id, runId } = await start(type);
    await answerTask(stage, continueAsNew(stage, type));
    const going = await byTrace(runId, id);
    expect(going.status).toBe(200);
    expect(going.body.data).toMatchObject({
      workflowId: id,
      traceId: runId,
      type,
      status: 'running',
      closedAt: null,
    });
    await answerTask(stage, continueAsNew(stage, type));
    await answerTask(stage, complete({ rows: 3 }));
    const over = await byTrace(runId, id);
    expect(over.status).toBe(200);
    expect(over.body.data).toEqual({
      workflowId: id,
      traceId: runId,
      runId,
      type,
      status: 'completed',
      startedAt: going.body.data.startedAt,
      closedAt: expect.any(String),
      result: { rows: 3 },
      steps: [],
      usage: NO_USAGE,
    });
    const latest = await byId(id);
    expect(latest.body.data).toMatchObject({ status: 'completed', result: { rows: 3 } });
    expect(latest.body.data.traceId).not.toBe(runId);
  });

  test('tells how its chain failed', async () => {
    const { id, runId } = await start('importRecords');
    await answerTask(stage, continueAsNew(stage, 'importRecords'));
    await answerTask(stage, fail('STORE_UNAVAILABLE'));
    const { status, body } = await byTrace(runId, id);
    expect([status, body.data.status, body.data.traceId]).toEqual([200, 'failed', runId]);
    expect(body.data.error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('has the result of its own chain where its workflow id has another one since', async () => {
    const { id, runId } = await start('importRecords');
    await answerTask(stage, continueAsNew(stage, 'importRecords'));
    await answerTask(stage, complete('of the first chain'));
    await stage.client.workflow.start('importRecords', {
      workflowId: id,
      taskQueue: stage.taskQueue,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
    await answerTask(stage, complete('of the second chain'));
    const { status, body } = await byTrace(runId, id);
    expect([status, body.data.status, body.data.result]).toEqual([
      200,
      'continued_as_new',
      'of the first chain',
    ]);
    expect(body.data.traceId).toBe(runId);
  });
});

describe("another application's workflow is not found", () => {
  const withoutIds = ({ status, body, headers }: Answer, ...ids: string[]): unknown => ({
    status,
    text: ids.reduce((text, id) => text.replaceAll(id, '…'), JSON.stringify(body)),
    type: headers.get('content-type'),
  });
  const unknown = { id: `lookup/${randomUUID()}`, runId: randomUUID() };

  test.each([
    ['of a type that is not of the service', 'chargeCreditCard', undefined],
    ['of a type of the service, on another task queue', 'executeTool', `other-${randomUUID()}`],
  ])('%s', async (_, type, taskQueue) => {
    const { id, runId } = await start(type, taskQueue);
    await answerTask({ ...stage, taskQueue: taskQueue ?? stage.taskQueue }, complete({ card: '4111' }));
    for (const ask of [byId, (of: string) => byTrace(of === id ? runId : unknown.runId, of)]) {
      const answer = await ask(id);
      expect(answer.status).toBe(404);
      expect(withoutIds(answer, id, runId)).toEqual(
        withoutIds(await ask(unknown.id), unknown.id, unknown.runId),
      );
    }
  });

  test('while a run of the service is', async () => {
    const { id, runId } = await start('executeTool');
    await answerTask(stage, complete({ result: 3 }));
    for (const answer of [await byId(id), await byTrace(runId, id)])
      expect(answer.body.data).toMatchObject({ traceId: runId, result: { result: 3 } });
  });
});
