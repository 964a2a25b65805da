import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { Answer } from '../support/http';
import { type SharedService, startService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { useService } from '../support/use-service';
import { waitFor } from '../support/wait';

let service: SharedService;
let temporal: TestClient;

beforeAll(async () => {
  [service, temporal] = await Promise.all([useService(), connectTemporal()]);
});
afterAll(() => Promise.all([service.stop(), temporal.close()]));

const register = (name: string, execute: string, parameters = {}) =>
  service.post('/api/tools/register', { name, parameters, execute });
const execute = (key: string, body: object): Promise<Answer> =>
  service.post('/api/tools/execute', body, { 'idempotency-key': key });
const traceOf = ({ headers }: Answer): string | null => headers.get('x-trace-id');
const ADD = { toolName: 'calculator', args: { operation: 'add', a: 20, b: 22 } };

test('a repeat gets the first answer, in whatever order its properties come', async () => {
  const key = randomUUID();
  const first = await execute(key, ADD);
  const repeat = await execute(key, {
    args: { b: 22, a: 20, operation: 'add' },
    options: {},
    toolName: 'calculator',
  });
  expect(first.status).toBe(200);
  expect(repeat.body).toEqual(first.body);
  expect(traceOf(repeat)).toBe(traceOf(first));
  expect(first.headers.get('x-workflow-id')).toBe(`execute-tool/key-${key}`);
});

test.each([
  ['another tool', { toolName: 'json_reader', args: { jsonString: '1', path: '$' } }],
  ['a tool that is not there', { toolName: 'nobody' }],
  ['other arguments', { ...ADD, args: { ...ADD.args, b: 23 } }],
  ['arguments that would be refused', { ...ADD, args: {} }],
  ['a limit that was not given before', { ...ADD, options: { timeout: 30_000 } }],
])('%s under the same key is a conflict', async (_case, body) => {
  const key = randomUUID();
  expect((await execute(key, ADD)).status).toBe(200);
  const answer = await execute(key, body);
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({
    success: false,
    message: 'Conflict',
    error: expect.stringContaining('Idempotency-Key'),
  });
});

test('a repeat gets the first answer also when the tool is another one or gone by then', async () => {
  const key = randomUUID();
  await register('changing', '() => "first"');
  const first = await execute(key, { toolName: 'changing' });
  expect(first.body.data.result).toBe('first');
  await register('changing', '({ need }) => need', { need: 'string' });
  expect((await execute(key, { toolName: 'changing' })).body).toEqual(first.body);
  await service.send('DELETE', '/api/tools/changing');
  expect((await execute(key, { toolName: 'changing', args: {} })).body).toEqual(first.body);
  expect((await execute(randomUUID(), { toolName: 'changing' })).status).toBe(404);
});

test('a repeat gets a failure as it gets a success', async () => {
  const key = randomUUID();
  const body = { ...ADD, args: { operation: 'divide', a: 1, b: 0 } };
  const first = await execute(key, body);
  expect(first.status).toBe(500);
  const repeat = await execute(key, body);
  expect(repeat.body).toEqual(first.body);
  expect(traceOf(repeat)).toBe(traceOf(first));
});

test('requests that come at once are one run', async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 6 }, () => execute(key, ADD)));
  expect(new Set(answers.map(traceOf)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

test('a key that was refused before anything ran can be used again', async () => {
  const key = randomUUID();
  expect((await execute(key, { toolName: 'nobody' })).status).toBe(404);
  expect((await execute(key, ADD)).status).toBe(200);
});

test('each path has keys of its own', async () => {
  const key = randomUUID();
  const headers = { 'idempotency-key': key };
  const single = await execute(key, ADD);
  const parallel = await service.post('/api/tools/execute-multiple', { tools: [ADD] }, headers);
  const sequence = await service.post('/api/tools/execute-sequential', { tools: [ADD] }, headers);
  expect([single.status, parallel.status, sequence.status]).toEqual([200, 200, 200]);
  expect(new Set([single, parallel, sequence].map(traceOf)).size).toBe(3);
  const repeat = await service.post('/api/tools/execute-multiple', { tools: [ADD] }, headers);
  expect(repeat.body).toEqual(parallel.body);
  expect(parallel.headers.get('x-workflow-id')).toBe(`execute-tools/parallel/key-${key}`);
});

test('a run is found by its workflow id alone, and its request by the memo', async () => {
  const key = randomUUID();
  const first = await execute(key, ADD);
  const workflowId = `execute-tool/key-${key}`;
  const found = await service.get(`/api/runs?workflowId=${encodeURIComponent(workflowId)}`);
  expect(found.body).toEqual({
    success: true,
    message: 'Run retrieved successfully',
    data: {
      workflowId,
      traceId: traceOf(first),
      runId: traceOf(first),
      type: 'executeTool',
      status: 'completed',
      startedAt: expect.any(String),
      closedAt: expect.any(String),
      input: ADD,
      result: first.body.data,
      steps: [expect.objectContaining({ id: '1', kind: 'tool', status: 'completed', attempts: 1 })],
      usage: NO_USAGE,
    },
  });
  const { memo } = await temporal.client.workflow.getHandle(workflowId).describe();
  expect(memo?.['requestId']).toBe(first.headers.get('x-request-id'));

  const unknown = await service.get('/api/runs?workflowId=execute-tool%2Fnobody');
  expect(unknown.status).toBe(404);
  expect(unknown.body).toMatchObject({ message: 'Run not found', error: expect.stringContaining('nobody') });
  const none = await service.get('/api/runs?workflowId=');
  expect(none.status).toBe(400);
  expect(none.body.details).toEqual({ field: 'workflowId', message: 'must not be empty' });
});

test('who stopped waiting joins the run by a repeat', async () => {
  const WAIT_LIMIT_MS = 1_500;
  const impatient = await startService({ WAIT_LIMIT_MS: String(WAIT_LIMIT_MS) });
  try {
    const source = 'const end = Date.now() + 2_500; while (Date.now() < end); return "done"';
    await impatient.post('/api/tools/register', { name: 'lasting', execute: source });
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => impatient.post('/api/tools/execute', { toolName: 'lasting' }, headers);
    const started = performance.now();
    const late = await ask();
    const waited = performance.now() - started;
    expect(late.status).toBe(503);
    expect(late.body).toMatchObject({
      success: false,
      message: 'Run still in progress',
      error: `The run did not finish within the ${WAIT_LIMIT_MS} ms a request waits (WAIT_LIMIT_MS); the run continues`,
      details: { traceId: traceOf(late), workflowId: `execute-tool/key-${headers['idempotency-key']}` },
    });
    // Asking again without a key would be a second run.
    expect(late.headers.get('retry-after')).toBeNull();
    expect(waited).toBeGreaterThan(WAIT_LIMIT_MS - 50);
    const repeat = await waitFor(
      async () => {
        const answer = await ask();
        return answer.status !== 503 && answer;
      },
      { what: 'a repeat to get the result' },
    );
    expect(repeat.body.data.result).toBe('done');
    expect(traceOf(repeat)).toBe(traceOf(late));
  } finally {
    await impatient.stop();
  }
});
