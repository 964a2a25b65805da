import { apiCall, apiPost, calculator, type RequestedCall } from '../support/calls';
import { figures } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';
import { holdWriteLock } from '../support/write-lock';

/** Shorter than the statistics' wait for a lock. */
const TIMEOUT_MS = 1_500;

let stage: Stage;
let api: Api;

beforeEach(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api(), stage.worker()]);
  // The first calls of a process take longer than the later ones.
  for (const call of [apiCall(`${stage.peer.url}/first`), calculator('add', 1, 1)]) {
    expect((await api.post('/api/tools/execute', call)).status).toBe(200);
  }
});

afterEach(() => stage.close());

test.each<[string, () => RequestedCall]>([
  ['a request', () => apiCall(`${stage.peer.url}/done`)],
  ['a request that may not be sent twice', () => apiPost(`${stage.peer.url}/done`)],
  ['an inline call', () => calculator('add', 1, 2)],
])('%s whose count cannot be stored within its time limit succeeds, and is counted once', async (_, call) => {
  const unlock = holdWriteLock(stage.dataDir);
  const { status, body } = await api.post('/api/tools/execute', {
    ...call(),
    options: { timeout: TIMEOUT_MS },
  });
  unlock();
  expect([status, body.error]).toEqual([200, undefined]);
  await waitFor(async () => (await figures(api)).totalExecutions > 2, { what: 'the call to be counted' });
  expect(await figures(api)).toEqual({ totalExecutions: 3, successfulExecutions: 3, failedExecutions: 0 });
  expect(stage.peer.count('/done')).toBeLessThanOrEqual(1);
});

test('calls that share an activity succeed alike', async () => {
  const unlock = holdWriteLock(stage.dataDir);
  const tools = [calculator('add', 1, 2), calculator('add', 3, 4)];
  const answer = await api.post('/api/tools/execute-multiple', { tools, options: { timeout: TIMEOUT_MS } });
  unlock();
  expect([answer.status, answer.body.data?.errors]).toEqual([200, []]);
  await waitFor(async () => (await figures(api)).totalExecutions === 4, { what: 'both calls to be counted' });
  expect((await figures(api)).successfulExecutions).toBe(4);
});
