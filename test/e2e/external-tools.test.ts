import { randomUUID } from 'node:crypto';
import { startOtherWorker } from '../support/other-workers/start';
import type { PartProcess } from '../support/process';
import { type Service, startService } from '../support/service';
import { connectTemporal } from '../support/temporal-client';
import { waitFor } from '../support/wait';
import { customBody, resultsOf, toolStep } from '../support/workflow-steps';

const QUEUE = `other-${randomUUID()}`;
const LONELY = `lonely-${randomUUID()}`;

let service: Service;
let other: PartProcess;

beforeAll(async () => {
  [service, other] = await Promise.all([
    startService({ MAX_BODY_BYTES: '4194304', EXTERNAL_QUEUES: `${QUEUE}, ${LONELY}, theirs@acme` }),
    startOtherWorker(QUEUE),
  ]);
});
afterAll(async () => {
  await service.stop();
  await other.stop();
});

async function register(name: string, more: object, parameters: object = {}): Promise<void> {
  const { status, body } = await service.post('/api/tools/register', { name, parameters, ...more });
  expect([status, body.error]).toEqual([201, undefined]);
}
const activity = (name: string, more: object = {}) => ({ activity: { taskQueue: QUEUE, name, ...more } });
const run = (toolName: string, args: object = {}, options: object = {}) =>
  service.post('/api/tools/execute', { toolName, args, options });
/** The newest runs of the service itself. */
async function newestRun(query = '') {
  const { body } = await service.get(`/api/runs?limit=1${query}`);
  return body.data.runs[0] as { runId: string; workflowId: string; status: string };
}

test('an activity gets the arguments as one object, or one by one, and its result is the output', async () => {
  await register('refund', activity('refund'), {
    orderId: 'string',
    cents: { type: 'integer', default: 100 },
  });
  const { body } = await run('refund', { orderId: '7' });
  expect(body.data).toMatchObject({ toolName: 'refund', result: { refundId: '7-100', attempt: 1 } });
  await register('list', activity('list', { args: 'list' }), {
    a: 'number',
    b: { type: 'number', required: false },
    c: { type: 'number', required: false },
  });
  expect((await run('list', { a: 1, c: 3 })).body.data.result).toEqual([1, null, 3]);
  expect((await run('list', { a: 1 })).body.data.result).toEqual([1]);
});

test('a workflow of another worker is a tool too, and a step of a definition', async () => {
  await register('ship', { workflow: { taskQueue: QUEUE, type: 'ship' } }, { orderId: 'string' });
  const steps = [
    toolStep('pay', 'refund', { orderId: 'a', cents: 5 }),
    toolStep('ship', 'ship', { orderId: '{{pay.result.refundId}}' }),
  ];
  const ended = await service.post('/api/workflow/execute-custom', customBody(steps));
  expect(resultsOf(ended)).toMatchObject({ pay: { refundId: 'a-5' }, ship: { shipped: 'a-5' } });
  const { runId } = await newestRun();
  const { body } = await service.get(`/api/runs/${runId}`);
  expect(body.data.steps).toMatchObject([
    { id: 'pay', name: 'refund', status: 'completed' },
    { id: 'ship', name: 'ship', status: 'completed' },
  ]);
  const step = await service.get(`/api/runs/${runId}/steps/ship`);
  expect(step.body.data).toMatchObject({ input: { orderId: 'a-5' }, output: { shipped: 'a-5' } });
});

test('arguments that are known late are checked, and get their defaults', async () => {
  const sum = toolStep('sum', 'calculator', { operation: 'add', a: 1, b: 2 });
  const refund = (orderId: string) => customBody([sum, toolStep('pay', 'refund', { orderId })]);
  const paid = await service.post('/api/workflow/execute-custom', refund('{{sum.result}}!'));
  expect(resultsOf(paid)['pay']).toMatchObject({ refundId: '3!-100' });
  const cents = customBody([sum, toolStep('pay', 'refund', { orderId: 'a', cents: '{{sum.result}} cents' })]);
  const refused = await service.post('/api/workflow/execute-custom', cents);
  expect([refused.status, refused.body.error]).toEqual([
    500,
    expect.stringContaining('args.cents must be an integer'),
  ]);
});

test('the health says who polls the queues', async () => {
  const { body } = await service.get('/api/health/detailed');
  expect(body.data.services.tools.externalQueues).toEqual([
    { taskQueue: QUEUE, activityPollers: 1, workflowPollers: 1 },
    { taskQueue: LONELY, activityPollers: 0, workflowPollers: 0 },
  ]);
});

test('long arguments are sent as they are, and too long ones are refused', async () => {
  await register('length', activity('length'), { text: 'string' });
  expect((await run('length', { text: 'x'.repeat(900_000) })).body.data.result).toBe(900_000);
  const { status, body } = await run('length', { text: 'é'.repeat(600_000) });
  expect([status, body.error]).toEqual([500, expect.stringContaining('more than 1048576 bytes')]);
});

test('an error passes on its message and type, and is tried again where the tool is repeatable', async () => {
  await register('refuse', activity('refuse'));
  const refused = await run('refuse');
  expect([refused.status, refused.body.error, refused.body.details.errorType]).toEqual([
    500,
    'The card was declined',
    'CardDeclined',
  ]);
  await register('charge', { workflow: { taskQueue: QUEUE, type: 'charge' } });
  const charged = await run('charge');
  expect([charged.body.error, charged.body.details.errorType]).toEqual([
    'The card was declined',
    'CardDeclined',
  ]);
  await register('bytes', activity('bytes'));
  expect((await run('bytes')).body.error).toBe('The result is bytes: return JSON');
  await register('complain', activity('complain'), { apiKey: 'string' });
  const hidden = await run('complain', { apiKey: 'planted-7f3a91' });
  expect(hidden.body.error).toBe('the key [hidden] is unknown');
  await register('fail_once', activity('fail_once'));
  expect((await run('fail_once')).body.error).toBe('busy');
  await register('fail_once', { ...activity('fail_once'), repeatable: true });
  expect((await run('fail_once')).body.data.result).toBe(2);
  const { body } = await service.get('/api/tools/stats');
  expect(body.data.failedExecutions).toBeGreaterThanOrEqual(2);
});

test('a queue that no worker polls is named within the limit of the call', async () => {
  await register('lonely', { activity: { taskQueue: LONELY, name: 'any' }, timeoutMs: 500 });
  const { status, body } = await run('lonely');
  expect([status, body.error]).toEqual([
    500,
    `The tool "lonely" did not finish within 500 ms (limit: timeoutMs): no worker polls the task queue "${LONELY}"`,
  ]);
});

test('a killed worker is noticed by its heartbeats, and a repeatable call goes to another one', async () => {
  const more = { ...activity('work', { heartbeatMs: 1_000 }), timeoutMs: 60_000 };
  await register('work', { ...more, repeatable: true }, { untilAttempt: 'integer' });
  const answer = run('work', { untilAttempt: 2 });
  await other.line('working');
  await other.kill();
  other = await startOtherWorker(QUEUE);
  expect((await answer).body.data.result).toEqual({ attempt: 2 });
  await register('work', more, { untilAttempt: 'integer' });
  const once = run('work', { untilAttempt: 2 });
  await other.line('working');
  await other.kill();
  other = await startOtherWorker(QUEUE);
  const { status, body } = await once;
  expect([status, body.error]).toEqual([
    500,
    'The worker that ran the tool "work" sent no heartbeat within 1000 ms',
  ]);
});

test('a run that is cancelled cancels the activity', async () => {
  void run('work', { untilAttempt: 9 });
  await other.line('working');
  const { runId } = await newestRun('&status=running');
  expect((await service.post(`/api/runs/${runId}/cancel`, {})).status).toBeLessThan(300);
  await other.line('cancelled');
});

test('a refusal of a queue names the setting', async () => {
  const body = { name: 'bad', activity: { taskQueue: 'unknown', name: 'a' } };
  expect((await service.post('/api/tools/register', body)).body.details.message).toContain('EXTERNAL_QUEUES');
});

test.each([
  [{ activity: { taskQueue: 'unknown', name: 'a' } }, 'activity.taskQueue'],
  [
    { activity: { taskQueue: QUEUE, name: 'a', args: 'list' }, parameters: { type: 'object' } },
    'activity.args',
  ],
  [
    { activity: { taskQueue: QUEUE, name: 'a', args: 'list' }, parameters: { 2: 'string', 1: 'string' } },
    'activity.args',
  ],
  [{ workflow: { taskQueue: 'theirs', type: 'a' } }, 'workflow.taskQueue'],
  [{ activity: { taskQueue: QUEUE, name: 'a' }, workflow: { taskQueue: QUEUE, type: 'a' } }, 'workflow'],
  [{ execute: '() => 1', timeoutMs: 1_000 }, 'timeoutMs'],
  [{ activity: { taskQueue: QUEUE, name: 'a' }, timeoutMs: 86_400_001 }, 'timeoutMs'],
])('refuses to register %j', async (rest, field) => {
  const { status, body } = await service.post('/api/tools/register', { name: 'bad', ...rest });
  expect([status, body.details?.field]).toEqual([400, field]);
});

test('in the engine the run of the call holds the arguments as plain JSON', async () => {
  const { client, close } = await connectTemporal();
  try {
    await run('length', { text: 'x'.repeat(900_000) });
    const long = await newestRun();
    const sent = await client.workflow.getHandle(`${long.workflowId}/call/1`).fetchHistory();
    const inputs = (sent.events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: found }) => found?.input?.payloads ?? [],
    );
    expect(inputs.map(({ data }) => data?.length)).toEqual([900_011]);
    await run('refund', { orderId: 'plain' });
    const { workflowId } = await newestRun();
    const { events } = await client.workflow.getHandle(`${workflowId}/call/1`).fetchHistory();
    const scheduled = (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: found }) => found ?? [],
    );
    const [payload] = scheduled[0]?.input?.payloads ?? [];
    expect(Buffer.from(payload?.metadata?.['encoding'] ?? []).toString()).toBe('json/plain');
    expect(JSON.parse(Buffer.from(payload?.data ?? []).toString())).toEqual({ orderId: 'plain', cents: 100 });
  } finally {
    await close();
  }
});

test('a queue that the settings have no more is refused at each call', async () => {
  const { dataDir, taskQueue } = service;
  await waitFor(async () => (await newestRun('&status=running')) === undefined || undefined, {
    what: 'all runs to end',
  });
  const later = await startService({ DATA_DIR: dataDir, TASK_QUEUE: `${taskQueue}-later` });
  try {
    const { body } = await later.post('/api/tools/execute', { toolName: 'refund', args: { orderId: '1' } });
    expect(body.error).toBe(`EXTERNAL_QUEUES does not have the task queue "${QUEUE}"`);
  } finally {
    await later.stop();
  }
});
