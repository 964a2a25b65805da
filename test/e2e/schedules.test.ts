import { deleteSchedules } from '../support/schedules';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await deleteSchedules(service);
  await service.stop();
});

const ADD = { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } };
const NEVER = { cron: ['0 0 1 1 *'] };
/** The statuses of runs that go on. */
const OPEN = new Set(['running', 'waiting', 'paused']);
const tool = { type: 'tool', request: ADD };

interface View {
  readonly paused: boolean;
  readonly reason?: string;
  readonly nextRuns: string[];
  readonly lastRuns: { traceId: string; workflowId: string; status: string; at: string }[];
}

async function create(id: string, rest: object): Promise<View> {
  const { status, body } = await service.post('/api/schedules', { id, spec: NEVER, action: tool, ...rest });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data;
}
const read = async (id: string): Promise<View> => (await service.get(`/api/schedules/${id}`)).body.data;
const runsOf = (id: string, count: number): Promise<View['lastRuns']> =>
  waitFor(
    async () => {
      const { lastRuns } = await read(id);
      return lastRuns.length >= count && lastRuns.every(({ status }) => !OPEN.has(status))
        ? lastRuns
        : undefined;
    },
    { what: `${count} runs of ${id}` },
  );

test('starts runs by the clock, which are runs like others', async () => {
  await create('often', { spec: { interval: '10s' } });
  const [run] = await runsOf('often', 1);
  await service.send('DELETE', '/api/schedules/often');
  const { body } = await service.get(`/api/runs/${run?.traceId}`);
  expect(body.data).toMatchObject({ status: 'completed', type: 'executeTool', result: { result: 5 } });
  expect(body.data.workflowId).toBe(run?.workflowId);
});

test.each([
  ['tools', { tools: [ADD, ADD] }, 'executeToolsInParallel'],
  ['sequence', { tools: [ADD, ADD] }, 'executeToolsInSequence'],
  [
    'workflow',
    { workflow: { name: 'w', steps: [{ id: 'a', type: 'tool_execution', config: ADD }] } },
    'customWorkflow',
  ],
])('triggers a request of the kind %s', async (type, request, workflowType) => {
  await create(`kind-${type}`, { action: { type, request } });
  const { status } = await service.post(`/api/schedules/kind-${type}/trigger`, {});
  expect(status).toBe(200);
  const [run] = await runsOf(`kind-${type}`, 1);
  expect(run?.status).toBe('completed');
  const { body } = await service.get(
    `/api/runs/${run?.traceId}?workflowId=${encodeURIComponent(run?.workflowId ?? '')}`,
  );
  expect(body.data.type).toBe(workflowType);
});

test('turns of the agent go in the order of their session, and an erasure deletes the schedules of the user', async () => {
  await service.post('/api/agent/initialize', {});
  const request = { query: 'What is 2 plus 3?', options: { userId: 'ann', sessionId: 's' } };
  await create('turns', { spec: { cron: ['0 3 * * *'] }, action: { type: 'agent', request } });
  const { body } = await service.post('/api/schedules/turns/backfill', {
    from: '2026-01-01T00:00:00Z',
    to: '2026-01-03T00:00:00Z',
  });
  expect(body.data).toEqual({ runs: 2 });
  expect((await runsOf('turns', 2)).map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect((await service.send('DELETE', '/api/memory/clear/ann')).status).toBe(200);
  expect((await service.get('/api/schedules/turns')).status).toBe(404);
});

test('a change of summer time moves nothing: the times are those of the zone', async () => {
  await create('summer', { spec: { cron: ['30 2 * * *'], timeZone: 'Europe/Berlin' } });
  await service.post('/api/schedules/summer/pause', { reason: 'for a look' });
  expect(await read('summer')).toMatchObject({ paused: true, reason: 'for a look', nextRuns: [] });
  const { body } = await service.post('/api/schedules/summer/backfill', {
    from: '2026-03-28T00:00:00Z',
    to: '2026-03-30T12:00:00Z',
  });
  // On the 29th there is no half past two.
  expect(body.data.runs).toBe(2);
  const runs = await runsOf('summer', 2);
  expect(runs.map(({ at }) => at).sort()).toEqual(['2026-03-28T01:30:00.000Z', '2026-03-30T00:30:00.000Z']);
});

test('is paused with the reason when its workflow is deleted', async () => {
  const definition = { name: 'w', steps: [{ id: 'a', type: 'tool_execution', config: ADD }] };
  await service.post('/api/workflow/workflows', { id: 'fleeting', ...definition });
  await create('paused', { action: { type: 'workflow', request: { workflowId: 'fleeting' } } });
  await service.send('DELETE', '/api/workflow/workflows/fleeting');
  await service.post('/api/schedules/paused/trigger', {});
  const view = await waitFor(async () => ((await read('paused')).paused ? read('paused') : undefined), {
    what: 'the schedule to be paused',
  });
  expect(view.reason).toContain('fleeting');
});

test('starts turns of a named agent, and is paused when that is deleted', async () => {
  await service.post('/api/agent/initialize', {});
  const clerk = { name: 'Clerk', description: 'Calculates', instructions: 'Be brief.' };
  expect((await service.send('PUT', '/api/agents/clerk', clerk)).status).toBe(200);
  const options = { userId: 'bob', sessionId: 's', agent: 'clerk' };
  const action = { type: 'agent', request: { query: 'What is 2 plus 3?', options } };
  const { status, body } = await service.post('/api/schedules', {
    spec: NEVER,
    action: { ...action, request: { ...action.request, options: { ...options, agent: 'none' } } },
  });
  expect([status, body.code]).toEqual([404, 'AGENT_NOT_FOUND']);
  await create('clerks', { action });
  await service.post('/api/schedules/clerks/trigger', {});
  const [run] = await runsOf('clerks', 1);
  const { body: record } = await service.get(`/api/runs/${run?.traceId}/wait?timeout=30`);
  expect(record.data.result.metadata.agent).toEqual({ id: 'clerk', version: 1 });
  await service.send('DELETE', '/api/agents/clerk');
  await service.post('/api/schedules/clerks/trigger', {});
  const view = await waitFor(async () => ((await read('clerks')).paused ? read('clerks') : undefined), {
    what: 'the schedule to be paused',
  });
  expect(view.reason).toContain('no agent "clerk"');
});

test('has an id of its own without one, and shows no credentials', async () => {
  const call = {
    method: 'GET',
    url: 'https://shop.example/?api_key=k-123456789',
    headers: { Authorization: 'Bearer t-123456789' },
  };
  const webhook = { url: 'https://hooks.example/t-123456789', secret: `whsec_${'A'.repeat(32)}` };
  const request = { toolName: 'api_call', args: call, options: { webhook } };
  const created = await service.post('/api/schedules', { spec: NEVER, action: { type: 'tool', request } });
  expect(created.status).toBe(201);
  const { status, text } = await service.get(`/api/schedules/${String(created.body.data.id)}`);
  expect(status).toBe(200);
  const listed = await service.get('/api/schedules');
  for (const shown of [created.text, text, listed.text]) expect(shown).not.toMatch(/123456789|whsec_/);
});

test('changes, and refuses what another schedule has or none', async () => {
  await create('one', { overlap: 'bufferOne' });
  const changed = await service.send('PATCH', '/api/schedules/one', {
    spec: { interval: '1h' },
    pauseOnFailure: true,
  });
  expect(changed.body.data).toMatchObject({
    spec: { interval: '1h' },
    overlap: 'bufferOne',
    pauseOnFailure: true,
  });
  expect((await read('one')).nextRuns.length).toBe(10);
  const again = await service.post('/api/schedules', { id: 'one', spec: NEVER, action: tool });
  expect([again.status, again.body.error]).toEqual([409, 'There is a schedule "one" already']);
  expect((await service.get('/api/schedules/none')).status).toBe(404);
  const { body } = await service.get('/api/schedules');
  expect((body.data.schedules as { id: string }[]).map(({ id }) => id)).toContain('one');
  const many = await service.post('/api/schedules/one/backfill', {
    from: '2020-01-01T00:00:00Z',
    to: '2026-01-01T00:00:00Z',
  });
  expect([many.status, many.body.details.field]).toEqual([400, 'to']);
  const times = { from: '2026-01-01T00:00:00Z', to: '2126-01-01T00:00:00Z' };
  expect((await service.post('/api/schedules/one/backfill', times)).body.details.field).toBe('to');
  expect((await service.post('/api/schedules/one/pause', { reason: '' })).status).toBe(400);
});

test.each([
  ['spec.cron[1]', { spec: { cron: ['@daily', '61 * * * *'] } }],
  ['spec.cron[0]', { spec: { cron: ['0 0 1 1 * 2026'] } }],
  ['spec.cron', { spec: { timeZone: 'Europe/Berlin' } }],
  ['spec.interval', { spec: { interval: '5s' } }],
  ['spec.timeZone', { spec: { cron: ['@daily'], timeZone: 'Europe/Nowhere' } }],
  ['catchupWindow', { catchupWindow: '1s' }],
  ['action.request.toolName', { action: { type: 'tool', request: {} } }],
  [
    'action.request.args.a',
    { action: { type: 'tool', request: { ...ADD, args: { operation: 'add', a: 'x', b: 1 } } } },
  ],
  ['id', { id: 'Ä' }],
])('refuses a bad %s', async (field, rest) => {
  const { status, body } = await service.post('/api/schedules', { spec: NEVER, action: tool, ...rest });
  expect([status, body.details?.field]).toEqual([400, field]);
});
