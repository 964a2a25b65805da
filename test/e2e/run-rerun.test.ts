import { WorkflowNotFoundError } from '@temporalio/common';
import { FolderBlobs } from '../../src/stores/blobs/folder-blobs';
import { sweepValues } from '../../temporal/payloads/value-sweeper';
import { approvalsIn } from '../support/approvals';
import { apiCall, calculator } from '../support/calls';
import { type Answer, send } from '../support/http';
import { bearer, type Key, runKeys, SCOPES } from '../support/keys';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';
import type { AcceptedRun } from '../support/stop-runs';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { waitFor } from '../support/wait';
import { customBody, fetchStep, type RequestedStep, resultsOf, sumStep } from '../support/workflow-steps';

const DAY_MS = 86_400_000;
/** Longer than what stays in a history. */
const LONG = 'x'.repeat(5_000);

let service: Service;
let peer: StubPeer;
let temporal: TestClient;
let admin: string;
let ann: string;
/** The paths that the peer answers with a 404. */
const broken = new Set<string>();

beforeAll(async () => {
  [service, peer, temporal] = await Promise.all([
    startService({ ...LEXICAL, AUTH: 'keys', PAYLOAD_THRESHOLD_BYTES: '1024', EGRESS_ALLOW_PRIVATE: 'true' }),
    startStubPeer(({ path }, response) => {
      if (path === '/held') return;
      sendJson(response, broken.has(path) ? 404 : 200, { path, about: LONG });
    }),
    connectTemporal(),
  ]);
  admin = await createKey('admin');
  ann = await createKey('ann', '--user', 'ann');
  expect((await call(admin, 'POST', '/api/agent/initialize', {})).status).toBe(200);
});
afterEach(() => broken.clear());
afterAll(async () => {
  await Promise.all([peer.close(), temporal.close()]);
  await service.stop();
});

async function createKey(name: string, ...more: string[]): Promise<string> {
  const args = ['create', '--name', name, '--scopes', SCOPES.join(','), ...more];
  return (await runKeys<Key>(service.dataDir, ...args)).key;
}
const call = (key: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  send(method, service.url + path, body, { ...bearer(key), ...headers });
const post = (path: string, body: unknown, headers = {}): Promise<Answer> =>
  call(admin, 'POST', path, body, headers);
const runSteps = (steps: readonly RequestedStep[], inputs = {}, key = admin): Promise<Answer> =>
  call(key, 'POST', '/api/workflow/execute-custom', customBody(steps, inputs));

function pathOf({ headers }: Pick<Answer, 'headers'>, end = ''): string {
  const workflowId = encodeURIComponent(headers.get('x-workflow-id') ?? '');
  return `/api/runs/${headers.get('x-trace-id')}${end}?workflowId=${workflowId}`;
}
const rerun = (first: Answer, body: object = {}, headers = {}, key = admin): Promise<Answer> =>
  call(key, 'POST', pathOf(first, '/rerun'), body, headers);
async function recordOf(run: Pick<Answer, 'headers'>, end = '') {
  const { status, body, text } = await call(admin, 'GET', pathOf(run, end));
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.data;
}
/** The record of a rerun once it has ended. */
async function endOf(answer: Answer) {
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  return recordOf(answer, '/wait');
}
const fetched = (id: string, path: string, more = {}): RequestedStep =>
  fetchStep(id, peer.url + path, { expect: 200 }, more);
const called = (prefix: string): string[] =>
  peer.requests.map(({ path }) => path).filter((path) => path.startsWith(prefix));
const idsOf = ({ headers }: Answer) => ({
  traceId: headers.get('x-trace-id'),
  workflowId: headers.get('x-workflow-id'),
});

test('a run of twenty steps that failed at the 18th makes the last three calls alone', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  broken.add('/step/18');
  const first = await runSteps(numbers.map((n) => fetched(`s${n}`, `/step/${n}`)));
  expect([first.status, called('/step/').length]).toEqual([500, 18]);
  broken.clear();

  const again = await rerun(first, { fromStep: 's18' });
  const reused = numbers.slice(0, 17).map((n) => `s${n}`);
  expect(again.body.data).toMatchObject({ rerunOf: idsOf(first), reused });
  const { status, result, ...record } = await endOf(again);
  expect([status, record.rerunOf, record.reused]).toEqual(['completed', idsOf(first), reused]);
  expect(Object.keys(result.results)).toHaveLength(20);
  expect(result.results.s3.result.data.path).toBe('/step/3');
  expect(called('/step/').slice(18)).toEqual(['/step/18', '/step/19', '/step/20']);

  const reruns = await waitFor(async () => (await recordOf(first)).reruns, {
    what: 'the rerun to be listed',
  });
  expect(reruns).toEqual([{ ...idsOf(again), status: 'completed' }]);
  const { raw } = await temporal.client.workflow.getHandle(idsOf(again).workflowId ?? '').describe();
  const details = JSON.stringify(raw.executionConfig?.userMetadata?.details?.data?.toString());
  expect(details).toContain(String(idsOf(first).traceId));
});

test('inputs, configurations and given results make what depends on them run again, and nothing else', async () => {
  const steps = [
    fetched('alone', '/deps/alone'),
    fetched('named', '/deps/{{input.name}}', { dependsOn: [] }),
    sumStep('sum', '{{input.a}}', 1, { dependsOn: [] }),
    sumStep('double', '{{sum.result}}', '{{sum.result}}', { dependsOn: ['sum'] }),
    sumStep('last', '{{double.result}}', 1, { dependsOn: ['alone', 'named', 'double'] }),
  ];
  const first = await runSteps(steps, { name: 'one', a: 1 });
  expect(resultsOf(first)).toMatchObject({ sum: 2, double: 4, last: 5 });

  const other = await endOf(await rerun(first, { fromStep: 'last', inputs: { name: 'two' } }));
  expect([other.reused, called('/deps/').sort()]).toEqual([
    ['alone', 'sum', 'double'],
    ['/deps/alone', '/deps/one', '/deps/two'],
  ]);
  const changed = await rerun(first, {
    fromStep: 'last',
    overrides: { double: { config: { args: { b: 10 } } } },
  });
  expect((await endOf(changed)).result.results).toMatchObject({
    double: { result: 12 },
    last: { result: 13 },
  });
  const given = await rerun(first, { overrides: { sum: { result: 50 } }, fromStep: 'sum' });
  const { reused, result } = await endOf(given);
  expect([reused, result.results.double.result, result.results.last.result]).toEqual([
    ['alone', 'named'],
    100,
    101,
  ]);
  // What a step of the rerun was asked is derived from values that the rerun did not make.
  expect((await recordOf(given, '/steps/double')).input).toEqual({ operation: 'add', a: 50, b: 50 });
  // A rerun can be run again too, from values that it has of the first run.
  expect(await endOf(await rerun(given, { fromStep: 'last' }))).toMatchObject({
    reused: ['alone', 'named', 'sum', 'double'],
    result: { results: { last: { result: 101 } } },
  });
});

test('calls in sequence and at once are run again from a number on', async () => {
  broken.add('/seq/2');
  const expecting = (path: string) => ({
    toolName: 'api_call',
    args: { url: peer.url + path, expect: 200 },
  });
  const tools = [
    expecting('/seq/1'),
    expecting('/seq/2'),
    calculator('add', '{{previous_result.status}}', 1),
  ];
  const first = await post('/api/tools/execute-sequential', { tools });
  expect(first.status).toBe(500);
  broken.clear();
  const again = await endOf(await rerun(first, { fromStep: '2' }));
  expect([again.reused, called('/seq/')]).toEqual([['1'], ['/seq/1', '/seq/2', '/seq/2']]);
  expect(again.result.results.map(({ success }: { success: boolean }) => success)).toEqual([
    true,
    true,
    true,
  ]);
  expect(again.result.results[2].data.result).toBe(201);
  const given = await endOf(await rerun(first, { overrides: { 2: { result: { status: 7 } } } }));
  expect([given.reused, given.result.results[2].data.result, called('/seq/').length]).toEqual([[], 8, 4]);

  const both = await post('/api/tools/execute-multiple', {
    tools: [apiCall(`${peer.url}/par/1`), calculator('divide', 1, 0), calculator('add', 1, 1)],
  });
  const override = { 2: { config: { args: { b: 2 } } } };
  const parallel = await endOf(await rerun(both, { fromStep: '3', overrides: override }));
  expect([parallel.reused, called('/par/')]).toEqual([['1'], ['/par/1']]);
  expect(parallel.result).toMatchObject({ errors: [], results: [{}, { data: { result: 0.5 } }, {}] });
});

test('other runs are run again as a whole', async () => {
  const single = await post('/api/tools/execute', calculator('divide', 1, 0));
  expect((await endOf(await rerun(single))).error.code).toBe('TOOL_EXECUTION_FAILED');
  const planned = await post('/api/tools/mcp', {
    query: 'What is 6 times 7?',
    options: { model: 'builtin' },
  });
  expect((await endOf(await rerun(planned))).result.finalResult).toBe(42);
  const options = { userId: 'zoe', sessionId: 's' };
  const turn = await post('/api/agent/execute', { query: 'What is 6 times 7?', options });
  const again = await rerun(turn);
  expect(await endOf(again)).toMatchObject({ type: 'agentTurn', status: 'completed', rerunOf: idsOf(turn) });
  expect((await post('/api/intent-classifier/initialize', {})).status).toBe(200);
  const queries = [
    { id: 'one', query: 'What is 6 times 7?' },
    { id: 'none', query: '' },
  ];
  const batch = await post('/api/intent-classifier/classify-batch', { queries });
  const { type, result } = await endOf(await rerun(batch));
  expect([type, result.results]).toEqual(['classifyBatch', batch.body.data.results]);
  const refused = await rerun(single, { fromStep: '1' });
  expect([refused.status, refused.body.details.field]).toEqual([400, 'fromStep']);
});

test('a repeat under the same key is answered by the same run, and what cannot be run again is refused', async () => {
  const steps = [sumStep('one', 1, 2), sumStep('two', '{{one.result}}', 1)];
  const first = await runSteps(steps);
  const key = { 'idempotency-key': 'again-1' };
  const answers = [
    await rerun(first, { fromStep: 'two' }, key),
    await rerun(first, { fromStep: 'two' }, key),
  ];
  const [one, two] = answers.map(({ body }) => body.data as AcceptedRun & { reused: string[] });
  expect([one?.reused, two?.reused, two?.traceId]).toEqual([['one'], ['one'], one?.traceId]);
  expect((await rerun(first, { fromStep: 'one' }, key)).status).toBe(409);

  const unknown = await rerun(first, { fromStep: 'twoo' });
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('two')]);
  for (const body of [{ overrides: { three: { result: 1 } } }, { inputs: { none: 1 } }, { fromstep: 'two' }])
    expect((await rerun(first, body)).status).toBe(400);
  const held = await post('/api/tools/execute', apiCall(`${peer.url}/held`), { prefer: 'respond-async' });
  const early = await rerun(held);
  expect([early.status, early.text]).toEqual([409, expect.stringContaining('RUN_NOT_ENDED')]);
  await call(admin, 'POST', pathOf(held, '/cancel'), {});
  const erasure = await call(admin, 'DELETE', '/api/memory/clear/nobody');
  const wrong = await rerun(erasure);
  expect([wrong.status, wrong.text]).toEqual([409, expect.stringContaining('DELETE /api/memory/clear')]);
});

test('approvals are asked again', async () => {
  const first = await runSteps([
    fetched('before', '/approved/before'),
    fetched('asked', '/approved/asked', { approval: true }),
  ]);
  const [approval] = approvalsIn(first);
  expect((await post(`/api/approvals/${approval?.id}`, { decision: 'deny' })).status).toBe(200);
  expect((await recordOf(first, '/wait')).status).toBe('failed');
  const again = await rerun(first, { fromStep: 'asked' });
  const asked = await waitFor(
    async () => (await recordOf(again)).approvals?.[0] as { id: string } | undefined,
    { what: 'the rerun to ask' },
  );
  await post(`/api/approvals/${asked.id}`, { decision: 'approve' });
  expect((await endOf(again)).status).toBe('completed');
  expect(called('/approved/')).toEqual(['/approved/before', '/approved/asked']);
});

test('the values of a rerun outlive the first run, which is a 404 then', async () => {
  const first = await runSteps([fetched('kept', '/kept/1'), sumStep('last', 1, '{{kept.result.status}}')]);
  const again = await rerun(first, { fromStep: 'last' });
  await endOf(again);
  const { client } = temporal;
  const { workflowId, traceId: runId } = idsOf(first);
  await client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
  });
  const isKnown = async (id: string): Promise<boolean> => {
    try {
      await client.workflow.getHandle(id).describe();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
  await waitFor(async () => !(await isKnown(workflowId ?? '')), { what: 'the first run to be deleted' });
  const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace: 'default' });
  const swept = await sweepValues({
    blobs: new FolderBlobs(service.dataDir),
    namespaceId: namespaceInfo?.id ?? '',
    retentionMs: DAY_MS,
    isKnown,
    now: Date.now() + 2 * DAY_MS,
    pauseMs: 1,
  });
  expect(swept).toBeGreaterThan(0);
  expect((await rerun(first)).status).toBe(404);
  expect((await recordOf(again)).result.results.kept.result.data.about).toBe(LONG);
  // Its values are enough for a further one.
  expect((await endOf(await rerun(again, { fromStep: 'last' }))).reused).toEqual(['kept']);
});

test("a rerun belongs to the first run's user, whoever asks for it, and is erased with it", async () => {
  const first = await runSteps([sumStep('one', 1, 2)], {}, ann);
  const options = { webhook: { url: `${peer.url}/hook`, secret: `whsec_${'c2VjcmV0'.repeat(4)}` } };
  const again = await rerun(first, { options });
  await endOf(again);
  await waitFor(() => peer.count('/hook') === 1, { what: 'the rerun to be reported' });
  const message = peer.requests.find(({ path }) => path === '/hook');
  expect(message?.body).toContain(String(idsOf(first).traceId));
  expect(String(idsOf(again).workflowId).split('/').slice(0, 2)).toEqual(
    String(idsOf(first).workflowId).split('/').slice(0, 2),
  );
  expect((await call(ann, 'GET', pathOf(again))).status).toBe(200);
  const erased = await call(admin, 'DELETE', '/api/memory/clear/ann');
  // With the run that reported the rerun, and that of its message.
  expect([erased.status, erased.body.data.erased.runs]).toEqual([200, 4]);
  for (const run of [first, again])
    await waitFor(async () => (await call(admin, 'GET', pathOf(run))).status === 404, {
      what: 'an erased run to be gone',
      timeoutMs: 60_000,
    });
});
