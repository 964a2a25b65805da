import type { Answer } from '../support/http';
import { callsTools, hangs, type ModelServer, says, startModelServer } from '../support/model-server';
import { calculates, fetches, localBy, outcomesIn, usage } from '../support/model-service';
import type { PartProcess } from '../support/process';
import { eventsOf, figures, onlyRun } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;
let models: ModelServer;

beforeEach(async () => {
  [stage, models] = await Promise.all([openStage(), startModelServer()]);
});

afterEach(async () => {
  // The model server closes first, so that nothing waits for a model while the stage closes.
  await models.close();
  await stage.close();
});

const api = (env: object = {}): Promise<Api> => stage.api({ ...localBy(models), ...env });
const worker = (env: object = {}): Promise<PartProcess> => stage.worker({ ...localBy(models), ...env });
/** Allows the model to reach the peer, which no query names. */
const query = (text: string) => ({
  query: text,
  options: { allow: { hosts: [new URL(stage.peer.url).host] } },
});
const asked = (count: number): Promise<unknown> =>
  waitFor(() => models.requests.length >= count, {
    what: `request ${count} at the model`,
  });

describe.each(['/api/tools/mcp', '/api/workflow/execute'])('a worker that dies during POST %s', (path) => {
  test('while the model thinks is followed by another: the model is asked again, no tool runs again', async () => {
    const [service, first] = await Promise.all([api(), worker()]);
    models.script(
      callsTools([fetches(`${stage.peer.url}/first`), calculates('add', 1, 2)]),
      hangs(),
      callsTools([fetches(`${stage.peer.url}/second`)]),
      says('All done.'),
    );
    const answer = service.post(path, query('fetch, add, fetch'));
    await asked(2);
    await first.kill();
    await Promise.all([worker(), asked(3)]);

    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      success: true,
      answer: 'All done.',
      executionOrder: ['api_call', 'calculator', 'api_call'],
      allResults: { calculator: 3 },
      errors: [],
      iterations: 2,
      // The service does not know the tokens that the lost call has used.
      llmUsage: usage(30, 15),
    });
    expect(stage.peer.count('/first')).toBe(1);
    expect(stage.peer.count('/second')).toBe(1);
    expect(models.requests).toHaveLength(4);
    expect(models.requests[2]?.body).toEqual(models.requests[1]?.body);
    expect(outcomesIn(models.requests[2])).toHaveLength(2);
    expect(await figures(service)).toMatchObject({ totalExecutions: 3, successfulExecutions: 3 });
  });
});

test('a worker killed while a tool runs is followed by another, and the model is not asked again for it', async () => {
  const [service, first] = await Promise.all([api(), worker()]);
  models.script(callsTools([fetches(`${stage.peer.url}/held`)]), says('Done.'));
  const answer = service.post('/api/tools/mcp', query('fetch it'));
  await stage.peer.arrived('/held');
  await first.kill();
  await Promise.all([worker(), stage.peer.arrived('/held', 2)]);
  stage.peer.release('/held');

  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ success: true, executionOrder: ['api_call'], answer: 'Done.' });
  expect(models.requests).toHaveLength(2);
});

test('a worker killed while it takes arguments from a sentence is followed by another', async () => {
  const [service, first] = await Promise.all([api(), worker()]);
  models.script(hangs(), callsTools([calculates('add', 2, 3)]));
  const body = { query: 'add two and three', toolName: 'calculator' };
  const answer = service.post('/api/tools/execute-with-llm', body);
  await asked(1);
  await first.kill();
  await worker();

  const { status, body: answered } = await answer;
  expect([status, answered.data?.result]).toEqual([200, 5]);
  expect(await figures(service)).toMatchObject({ totalExecutions: 1 });
});

test('a worker that is stopped while the model thinks leaves the call to another', async () => {
  const [service, first] = await Promise.all([api(), worker({ SHUTDOWN_GRACE_MS: '500' })]);
  models.script(callsTools([fetches(`${stage.peer.url}/first`)]), hangs(), says('Done.'));
  const answer = service.post('/api/tools/mcp', query('fetch it'));
  await asked(2);
  const [code] = await Promise.all([first.stop(), worker()]);
  expect(code).toBe(0);

  const { status, body } = await answer;
  expect([status, body.data?.answer]).toEqual([200, 'Done.']);
  expect(stage.peer.count('/first')).toBe(1);
});

test('a worker that lacks the provider that the API chose says which setting is missing', async () => {
  const [service] = await Promise.all([api(), stage.worker()]);
  const { status, body } = await service.post('/api/tools/mcp', { query: 'anything' });
  expect([status, body.message]).toEqual([503, 'Model not configured']);
  expect(body.details).toEqual({ provider: 'local', setting: 'LOCAL_LLM_BASE_URL' });
});

describe('a caller does not wait for ever', () => {
  const LIMIT_MS = 2_000;
  const LIMITS = { LLM_TIMEOUT_MS: String(LIMIT_MS) };
  const ask = (service: Api): Promise<Answer> => service.post('/api/tools/mcp', { query: 'anything' });
  const timedOut = {
    success: false,
    message: 'Model timeout',
    error: `The model "local-model" did not answer within ${LIMIT_MS} ms`,
    details: { provider: 'local', model: 'local-model', timeout: LIMIT_MS },
  };

  test('for a model that hangs', async () => {
    const [service] = await Promise.all([api(LIMITS), worker(LIMITS)]);
    models.otherwise(hangs());
    const { status, body } = await ask(service);
    expect(status).toBe(500);
    expect(body).toMatchObject(timedOut);
    expect(models.requests).toHaveLength(1);
  });

  test('for a worker that stands still while the model hangs', async () => {
    const [service, frozen] = await Promise.all([api(LIMITS), worker(LIMITS)]);
    models.otherwise(hangs());
    const answer = ask(service);
    await asked(1);
    frozen.signal('SIGSTOP');
    const { workflowId } = await onlyRun(stage);
    await waitFor(
      async () => (await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT')).length > 0,
      { what: 'the engine to give the call up' },
    );
    frozen.signal('SIGCONT');
    const { status, body } = await answer;
    expect(status).toBe(500);
    expect(body).toMatchObject(timedOut);
  });

  test('beyond the time a request waits, and finds what became of the run later', async () => {
    const [service] = await Promise.all([api({ ...LIMITS, WAIT_LIMIT_MS: '1000' }), worker(LIMITS)]);
    models.otherwise(hangs());
    const { status, body, headers } = await ask(service);
    expect([status, body.message]).toEqual([503, 'Run still in progress']);
    const path = `/api/runs/${headers.get('x-trace-id')}?workflowId=${headers.get('x-workflow-id')}`;
    const run = await waitFor(
      async () => {
        const { data } = (await service.get(path)).body;
        return data.status === 'failed' ? data : undefined;
      },
      { what: 'the run to fail' },
    );
    expect(run).toMatchObject({ type: 'mcpExecution', error: { code: 'MODEL_TIMEOUT' } });
  });
});
