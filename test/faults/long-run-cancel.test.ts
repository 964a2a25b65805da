import { get } from '../support/http';
import { facilityRows, reportOf, upload } from '../support/imports';
import { initializeIntents } from '../support/intents';
import { findMemories, LEXICAL, newUser, remember } from '../support/memories';
import { hangs, type ModelServer, saysJson, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, type RunIds, startRun, stepTaken, stopRun } from '../support/stop-runs';
import { waitFor } from '../support/wait';
import { holdWriteLock } from '../support/write-lock';

const ROWS = 20_000;

let stage: Stage;
let model: ModelServer;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  const settings = { ...LEXICAL, ...hostedBy(model) };
  [api] = await Promise.all([stage.api(settings), stage.worker(settings)]);
});
beforeEach(() => model.reset());
afterAll(async () => {
  await stage.close();
  await model.close();
});

async function cancel(run: RunIds): Promise<void> {
  const { status } = await stopRun(api, 'cancel', run, { reason: 'enough' });
  expect([200, 202]).toContain(status);
  const { body } = await endedRun(api, run);
  expect(body.data).toMatchObject({
    status: 'cancelled',
    error: { code: 'RUN_CANCELLED', message: 'The run was cancelled: enough' },
  });
}

test('an import that is cancelled keeps what it has created, and another one is made', async () => {
  const records = stage.spawn('records');
  const url = String((await records.line('the records API is listening'))['url']);
  const started = await upload(url, facilityRows(ROWS, 'first'));
  const { id } = started.body.data;
  await reportOf(url, id, ({ rows }) => rows > 0);
  await cancel({
    traceId: started.headers.get('x-trace-id') ?? '',
    workflowId: started.headers.get('x-workflow-id') ?? '',
  });
  expect((await reportOf(url, id, ({ state }) => state !== 'running')).state).toBe('cancelled');
  const total = async (): Promise<number> =>
    (await get(`${url}/api/facilities?limit=1`)).body.data.total as number;
  expect(await total()).toBeGreaterThan(0);
  expect(await total()).toBeLessThan(ROWS);
  const next = await upload(url, facilityRows(3, 'second'));
  expect(await reportOf(url, next.body.data.id)).toMatchObject({ created: 3, failed: 0 });
});

test('a reindexing that is cancelled leaves memories as they were, and another one is made', async () => {
  const userId = newUser();
  for (let n = 0; n < 20; n += 1) await remember(api, userId, `note ${n} about sailing to island ${n}`);
  const release = holdWriteLock(stage.dataDir, 'memory.db');
  try {
    const run = await startRun(api, '/api/memory/reindex', { again: true });
    await stepTaken(stage, run);
    await cancel(run);
  } finally {
    release();
  }
  const found = await findMemories(api, userId, 'island 7');
  expect(found.body.data.episodic[0].content).toBe('note 7 about sailing to island 7');
  const again = await api.post('/api/memory/reindex', { again: true });
  expect([again.status, again.body.data.moved]).toEqual([200, 20]);
});

test('a batch that is cancelled lets its model go, and another one is made', async () => {
  await initializeIntents(api);
  model.otherwise(hangs());
  const queries = Array.from({ length: 30 }, (_, n) => ({ id: String(n), query: `What about ${n}?` }));
  const run = await startRun(api, '/api/intent-classifier/classify-batch', { queries });
  await waitFor(() => model.requests.length > 0, { what: 'the model to be asked' });
  const asked = [...model.requests];
  await cancel(run);
  await waitFor(() => asked.every(({ closed }) => closed), { what: 'the model to be let go' });
  model.otherwise(saysJson({ type: 'conversation', confidence: 0.9, reasoning: 'small talk' }));
  const next = await api.post('/api/intent-classifier/classify-batch', { queries: queries.slice(0, 3) });
  expect([next.status, next.body.data.results.length]).toEqual([200, 3]);
});
