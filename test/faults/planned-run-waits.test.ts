import type { Answer } from '../support/http';
import { hangs, type ModelServer, startModelServer } from '../support/model-server';
import { localBy } from '../support/model-service';
import type { PartProcess } from '../support/process';
import { eventsOf, listRuns } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const LIMIT_MS = 2_000;
const LIMITS = { LLM_TIMEOUT_MS: String(LIMIT_MS) };

let stage: Stage;
let models: ModelServer;
let service: Api;

beforeAll(async () => {
  [stage, models] = await Promise.all([openStage(), startModelServer()]);
  service = await api();
});
afterAll(async () => {
  // The model server closes first, so that nothing waits for a model while the stage closes.
  await models.close();
  await stage.close();
});
beforeEach(() => models.reset());

const api = (env: object = {}): Promise<Api> => stage.api({ ...localBy(models), ...LIMITS, ...env });

test('a worker that lacks the provider that the API chose says which setting is missing', async () => {
  const lacking = await stage.worker(LIMITS);
  const { status, body } = await service.post('/api/tools/mcp', { query: 'anything' });
  expect([status, body.message]).toEqual([503, 'Model not configured']);
  expect(body.details).toEqual({ provider: 'local', setting: 'LOCAL_LLM_BASE_URL' });
  await lacking.stop();
});

describe('a caller does not wait for ever', () => {
  const ask = (at: Api): Promise<Answer> => at.post('/api/tools/mcp', { query: 'anything' });
  const timedOut = {
    success: false,
    message: 'Model timeout',
    error: expect.stringMatching(`^The model "local-model" did not answer within ${LIMIT_MS} ms`),
    details: { provider: 'local', model: 'local-model', timeout: LIMIT_MS },
  };

  let worker: PartProcess;
  beforeAll(async () => {
    worker = await stage.worker({ ...localBy(models), ...LIMITS });
  });

  test('for a model that hangs', async () => {
    models.otherwise(hangs());
    const { status, body } = await ask(service);
    expect(status).toBe(500);
    expect(body).toMatchObject(timedOut);
    expect(models.requests).toHaveLength(1);
  });

  test('for a worker that stands still while the model hangs', async () => {
    models.otherwise(hangs());
    const begun = new Date();
    const answer = ask(service);
    await waitFor(() => models.requests.length >= 1, { what: 'the model to be asked' });
    worker.signal('SIGSTOP');
    const { workflowId } = await waitFor(
      async () => {
        const [run] = await listRuns(stage.client, stage.taskQueue);
        return run !== undefined && run.startTime >= begun && run;
      },
      { what: 'the run to be listed' },
    );
    await waitFor(
      async () => (await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT')).length > 0,
      { what: 'the engine to give the call up' },
    );
    worker.signal('SIGCONT');
    const { status, body } = await answer;
    expect(status).toBe(500);
    expect(body).toMatchObject(timedOut);
  });

  test('beyond the time a request waits, and finds what became of the run later', async () => {
    const impatient = await api({ WAIT_LIMIT_MS: '1000' });
    models.otherwise(hangs());
    const { status, body, headers } = await ask(impatient);
    expect([status, body.message]).toEqual([503, 'Run still in progress']);
    const path = `/api/runs/${headers.get('x-trace-id')}?workflowId=${headers.get('x-workflow-id')}`;
    const run = await waitFor(
      async () => {
        const { data } = (await impatient.get(path)).body;
        return data.status === 'failed' ? data : undefined;
      },
      { what: 'the run to fail' },
    );
    expect(run).toMatchObject({ type: 'mcpExecution', error: { code: 'MODEL_TIMEOUT' } });
  });
});
