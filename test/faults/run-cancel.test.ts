import { answerOf, ask, initializeAgent } from '../support/agent';
import { apiCall, apiPost } from '../support/calls';
import { LEXICAL, newUser } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { hangs, type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { eventsOf } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { registerBusyTool } from '../support/step-kinds';
import { endedRun, type RunIds, startRun, stepTaken, stopRun } from '../support/stop-runs';
import { pickCount } from '../support/thorough';
import { waitFor } from '../support/wait';
import { customBody, fetchStep } from '../support/workflow-steps';

const REASON = 'not needed any more';
/** Longer than a test waits, so that only a cancellation ends a step. */
const LONG_MS = 290_000;
const UNLIMITED = { TOOL_TIMEOUT_MS: String(LONG_MS), LLM_TIMEOUT_MS: String(LONG_MS) };

let stage: Stage;
let model: ModelServer;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  const settings = { ...LEXICAL, ...hostedBy(model), SANDBOX_THREADS: '1', ...UNLIMITED };
  [api] = await Promise.all([stage.api(settings), stage.worker(settings)]);
  await initializeAgent(api);
  await initializeMemoryChat(api);
  await registerBusyTool(api);
});
beforeEach(() => {
  model.reset();
  model.otherwise(says('ok'));
});
afterAll(async () => {
  await stage.close();
  await model.close();
});

const start = (path: string, body: unknown): Promise<RunIds> => startRun(api, path, body);

/** Cancels a run whose steps end with it, and expects that it says so. */
async function cancel(run: RunIds): Promise<void> {
  const { status, body } = await stopRun(api, 'cancel', run, { reason: REASON });
  expect([status, body.message]).toEqual([200, 'The run has ended']);
  expect(body.data).toMatchObject({
    ...run,
    runId: run.traceId,
    status: 'cancelled',
    closedAt: expect.any(String),
    error: { code: 'RUN_CANCELLED', message: `The run was cancelled: ${REASON}` },
  });
}

function letGo(): Promise<unknown> {
  return waitFor(() => stage.peer.waiting === 0, {
    what: 'the request to be given up',
  });
}

describe('a step hears that its run is cancelled', () => {
  test.each([
    ['a request', apiCall],
    ['a request that may not be sent twice', apiPost],
  ])('%s', async (_, call) => {
    const path = `/held-${call.name}`;
    const run = await start('/api/tools/execute', call(stage.peer.url + path));
    await stage.peer.arrived(path);
    await cancel(run);
    await letGo();
  });

  test('sandboxed code, which leaves its thread to others', async () => {
    const busy = (ms: number, timeout: number) => ({ toolName: 'busy', args: { ms }, options: { timeout } });
    const run = await start('/api/tools/execute', busy(LONG_MS - 5_000, LONG_MS));
    await stepTaken(stage, run);
    await cancel(run);
    expect((await api.post('/api/tools/execute', busy(1, 200_000))).status).toBe(200);
  });

  test('a call of a model', async () => {
    model.otherwise(hangs());
    const run = await start('/api/tools/mcp', { query: 'think' });
    const asked = await waitFor(() => model.requests[0], { what: 'the model to be asked' });
    await cancel(run);
    await waitFor(() => asked.closed, { what: 'the model to be let go' });
  });

  test('two steps of a workflow', async () => {
    const steps = ['one', 'two'].map((id) =>
      fetchStep(id, `${stage.peer.url}/held-${id}`, {}, { dependsOn: [] }),
    );
    const run = await start('/api/workflow/execute-custom', customBody(steps));
    await Promise.all([stage.peer.arrived('/held-one'), stage.peer.arrived('/held-two')]);
    await cancel(run);
    await letGo();
  });
});

test('a sequence that is cancelled makes no further call', async () => {
  const { peer } = stage;
  const quick = Array.from({ length: 40 }, () => apiCall(`${peer.url}/quick`));
  const run = await start('/api/tools/execute-sequential', {
    tools: [...quick, apiCall(`${peer.url}/held-last`)],
  });
  await peer.arrived('/quick', 3);
  await cancel(run);
  await letGo();
  const scheduled = await eventsOf(stage, run.workflowId, 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
  expect(peer.count('/quick') + peer.count('/held-last')).toBeLessThanOrEqual(scheduled.length);
});

test('runs that are cancelled as they start do not go on', async () => {
  const count = pickCount(20, 200);
  const call = apiCall(`${stage.peer.url}/held-early`);
  for (let index = 0; index < count; index += 1) {
    const run = await start('/api/tools/execute', call);
    // Half of them are named as a caller does who has only the trace id.
    const answer = await (index % 2 === 0
      ? stopRun(api, 'cancel', run)
      : api.post(`/api/runs/${run.traceId}/cancel`));
    expect([200, 202]).toContain(answer.status);
    const { body } = await endedRun(api, run);
    expect(body.data).toMatchObject({ status: 'cancelled', error: { code: 'RUN_CANCELLED' } });
  }
  await letGo();
});

describe('a cancelled turn frees its place in the session', () => {
  test('of the agent', async () => {
    const userId = newUser();
    model.otherwise(hangs());
    const query = 'Remember that my boat is red';
    const run = await start('/api/agent/execute', { query, options: { userId, sessionId: 'session-1' } });
    await waitFor(() => model.requests[0], { what: 'the model to be asked' });
    const next = ask(api, 'What is 15 times 7?', { userId, model: 'builtin' });
    await cancel(run);
    expect((await answerOf(next)).response).toContain('105');
  });

  test('of memory chat', async () => {
    const userId = newUser();
    model.otherwise(hangs());
    const message = { userId, sessionId: 'session-1', message: 'I keep bees' };
    const run = await start('/api/memory-chat/chat', message);
    await waitFor(() => model.requests[0], { what: 'the model to be asked' });
    model.otherwise(says('ok'));
    const next = chat(api, { userId, message: 'and hens' });
    await cancel(run);
    expect((await next).status).toBe(200);
  });
});
