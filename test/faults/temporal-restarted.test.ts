import { randomUUID } from 'node:crypto';
import { apiCall, calculator } from '../support/calls';
import type { HoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import { startLoad } from '../support/load';
import { completedIds, figures, settledRuns } from '../support/runs';
import { type Api, listeningApi, openStage, type Stage } from '../support/stage';
import { killTemporal } from '../support/temporal-server';
import { waitFor } from '../support/wait';

let stage: Stage;
let peer: HoldingPeer;

beforeEach(async () => {
  stage = await openStage({ ownTemporal: true });
  ({ peer } = stage);
});

afterEach(() => stage.close());

const execute = (api: Api, call: unknown): Promise<Answer> => api.post('/api/tools/execute', call);

async function expectRefused(request: () => Promise<Answer>, details: object = {}): Promise<void> {
  const { status, body } = await request();
  expect(status).toBe(503);
  expect(body).toMatchObject({
    success: false,
    message: 'Service unavailable',
    error: expect.stringContaining(stage.settings['TEMPORAL_ADDRESS'] ?? ''),
    details: { service: 'temporal', reason: expect.any(String), ...details },
  });
}

async function expectUnhealthy(api: Api): Promise<void> {
  const { status, body } = await api.get('/api/health');
  expect(status).toBe(503);
  expect(body.message).toBe('System is unhealthy');
  expect(body.details.failedServices).toEqual(['temporal', 'workers']);
}

async function healthyAgain(api: Api): Promise<void> {
  await waitFor(async () => (await api.get('/api/health')).status === 200, { what: 'health to recover' });
}

test('runs go on where they were when the server is killed and started again on its file', async () => {
  const temporal = await stage.temporal();
  const [api] = await Promise.all([stage.api(), stage.worker()]);
  const whole = execute(api, apiCall(`${peer.url}/held-whole`));
  const tools = [calculator('add', 1, 2), apiCall(`${peer.url}/held-step`), calculator('add', 3, 4)];
  const sequence = api.post('/api/tools/execute-sequential', { tools });
  await Promise.all([peer.arrived('/held-whole'), peer.arrived('/held-step')]);

  await killTemporal(stage, temporal);
  const headers = { 'idempotency-key': randomUUID() };
  const addUp = () => api.post('/api/tools/execute', calculator('add', 2, 2), headers);
  const workflowId = `execute-tool/key-${headers['idempotency-key']}`;
  await Promise.all([expectRefused(addUp, { workflowId }), expectUnhealthy(api)]);
  // One step ends while its worker cannot reach the server, the other one later.
  peer.release('/held-whole');
  await stage.temporal();
  await healthyAgain(api);
  peer.release('/held-step');

  const answers = await Promise.all([whole, sequence]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0].body.data.result).toMatchObject({ status: 200, data: { path: '/held-whole' } });
  expect(answers[1].body.data.results).toHaveLength(3);
  // The repeat of the refused call is the same run, whether that was started or not.
  expect((await addUp()).body.data.result).toBe(4);
  expect(await figures(api)).toEqual({ totalExecutions: 5, successfulExecutions: 5, failedExecutions: 0 });
});

test('a caller whose limit passes while the server is away hears so meanwhile, and its run is not lost', async () => {
  const temporal = await stage.temporal();
  const [api] = await Promise.all([stage.api({ WAIT_LIMIT_MS: '2000' }), stage.worker()]);
  const waiting = execute(api, apiCall(`${peer.url}/held`));
  await peer.arrived('/held');
  await killTemporal(stage, temporal);

  // The test starts the server again only after these answers.
  const { status, body } = await waiting;
  expect([status, body.message]).toEqual([503, 'Run still in progress']);
  const { traceId, workflowId } = body.details as { traceId: string; workflowId: string };
  const look = () => api.get(`/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`);
  const blind = await look();
  expect([blind.status, blind.body.message]).toEqual([503, 'Service unavailable']);

  await stage.temporal();
  peer.release('/held');
  const ended = await waitFor(
    async () => {
      const answer = await look();
      return answer.status === 200 && answer.body.data.closedAt !== null && answer;
    },
    { what: 'the run to end' },
  );
  expect(ended.body.data.status).toBe('completed');
  expect((await figures(api)).totalExecutions).toBe(1);
});

test('nothing that was acknowledged under load is lost when the server is killed', async () => {
  const temporal = await stage.temporal();
  const [api] = await Promise.all([stage.api(), stage.worker()]);
  const load = startLoad(8, 10, (n) => execute(api, calculator('add', n, 1)));
  await load.reached(20);
  await killTemporal(stage, temporal);
  await stage.temporal();
  await load.done;

  expect(load.failures).toEqual([]);
  const acknowledged = load.answers.filter(({ status }) => status === 200);
  const refused = load.answers.filter(({ status }) => status !== 200);
  for (const { status, body } of refused) expect([status, body.success]).toEqual([503, false]);
  // A refused call may have been started, because the server was killed before it could answer.
  const runs = await settledRuns(stage, api);
  const completed = completedIds(runs);
  expect(completed.size).toBe(runs.length);
  expect(acknowledged.filter(({ headers }) => !completed.has(headers.get('x-trace-id') ?? ''))).toEqual([]);
});

test('API and worker that are started before any server wait for it', async () => {
  const api = await listeningApi(stage.spawn('api'));
  const worker = stage.spawn('worker');
  expect((await api.get('/livez')).status).toBe(200);
  expect((await api.get('/readyz')).status).toBe(503);
  expect((await api.get('/api/tools')).body.data).toHaveLength(5);
  const addUp = () => execute(api, calculator('add', 2, 3));
  await Promise.all([expectRefused(addUp), expectUnhealthy(api)]);

  await stage.temporal();
  await Promise.all([healthyAgain(api), worker.line('the worker is polling')]);
  expect((await api.get('/readyz')).status).toBe(200);
  expect((await addUp()).body.data.result).toBe(5);
});
