import { randomUUID } from 'node:crypto';
import { apiCall } from '../support/calls';
import type { HoldingPeer } from '../support/holding-peer';
import { type Answer, request } from '../support/http';
import { figures, onlyRun } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;
let peer: HoldingPeer;
let api: Api;

beforeEach(async () => {
  stage = await openStage();
  ({ peer } = stage);
  [api] = await Promise.all([stage.api(), stage.worker()]);
});

afterEach(() => stage.close());

const ONCE = { totalExecutions: 1, successfulExecutions: 1, failedExecutions: 0 };

/** Looks a run up by its trace id alone until it has ended. */
function endOf(at: Api, traceId: string): Promise<Answer> {
  return waitFor(
    async () => {
      const answer = await at.get(`/api/runs/${traceId}`);
      return answer.status === 200 && answer.body.data.closedAt !== null && answer;
    },
    { what: `run ${traceId} to end` },
  );
}

test('the run of a caller whose API was killed completes, and any API finds it', async () => {
  const lost = api.post('/api/tools/execute', apiCall(`${peer.url}/held`));
  const refused = expect(lost).rejects.toThrow();
  await peer.arrived('/held');
  await api.process.kill();
  await refused;

  const { runId, workflowId } = await onlyRun(stage);
  const other = await stage.api();
  const { body } = await other.get(`/api/runs/${runId}`);
  expect(body.data).toMatchObject({ traceId: runId, workflowId, status: 'running', closedAt: null });

  peer.release('/held');
  const ended = await endOf(other, runId);
  expect(ended.body.data).toMatchObject({
    status: 'completed',
    result: { toolName: 'api_call', result: { status: 200, data: { path: '/held' } } },
  });
  expect(peer.count('/held')).toBe(1);
  expect(await figures(other)).toEqual(ONCE);
});

test('a repeat with the same Idempotency-Key at another API gets the answer of the first run', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = apiCall(`${peer.url}/held`);
  const lost = expect(api.post('/api/tools/execute', body, headers)).rejects.toThrow();
  await peer.arrived('/held');
  await api.process.kill();
  await lost;

  const other = await stage.api();
  const whileItRuns = other.post('/api/tools/execute', body, headers);
  // The repeat has arrived when its connection exists beside that of the question.
  await waitFor(async () => (await connections(other)) > 1, { what: 'the repeat to arrive' });
  peer.release('/held');
  const joined = await whileItRuns;
  const afterwards = await other.post('/api/tools/execute', body, headers);

  const { runId } = await onlyRun(stage);
  for (const answer of [joined, afterwards]) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-trace-id')).toBe(runId);
    expect(answer.body.data.result).toEqual({ status: 200, data: { path: '/held' } });
  }
  expect(peer.count('/held')).toBe(1);
  expect(await figures(other)).toEqual(ONCE);
});

test('a caller that goes away does not stop its run', async () => {
  const caller = new AbortController();
  const aborted = request(`${api.url}/api/tools/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(apiCall(`${peer.url}/held`)),
    signal: caller.signal,
  });
  const gone = expect(aborted).rejects.toThrow();
  await peer.arrived('/held');
  caller.abort();
  await gone;
  // Only the connection of the question is left.
  await waitFor(async () => (await connections(api)) === 1, {
    what: 'the API to notice that the caller is gone',
  });

  peer.release('/held');
  const ended = await endOf(api, (await onlyRun(stage)).runId);
  expect(ended.body.data).toMatchObject({ status: 'completed', result: { toolName: 'api_call' } });
  expect(await figures(api)).toEqual(ONCE);
});

async function connections(of: Api): Promise<number> {
  const { body } = await of.get('/api/health/detailed');
  return body.data.metrics.activeConnections as number;
}
