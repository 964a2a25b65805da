import { randomUUID } from 'node:crypto';
import { apiCall, calculator } from '../support/calls';
import { collectEvents, openEvents, readEvents, type SentEvent } from '../support/event-stream';
import { type Answer, request } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, type RunIds, startRun, stopRun } from '../support/stop-runs';
import { customBody, fetchStep, sumStep, toolStep } from '../support/workflow-steps';

let stage: Stage;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api(), stage.worker()]);
});
afterAll(() => stage.close());

const eventsUrl = ({ traceId }: RunIds, query = ''): string =>
  `${api.url}/api/runs/${traceId}/events${query}`;
const getJson = (run: RunIds, query = ''): Promise<Answer> =>
  request(eventsUrl(run, query), { headers: { accept: 'application/json' } });
const follow = async (run: RunIds, query = '', headers = {}): Promise<SentEvent[]> =>
  collectEvents(await openEvents(eventsUrl(run, query), { headers }));
const typesOf = (events: readonly SentEvent[]): string[] => events.map(({ event }) => event);

const held = (path: string): object =>
  customBody([
    sumStep('first', 1, 2),
    fetchStep('held', `${stage.peer.url}${path}`),
    sumStep('last', '{{first.result}}', 4),
  ]);
const WHOLE = [
  'run.started',
  ...['first', 'held', 'last'].flatMap(() => ['step.scheduled', 'step.completed']),
  'run.completed',
];

test('a reader has each event as it happens, once, to the end', async () => {
  const run = await startRun(api, '/api/workflow/execute-custom', held('/held-live'));
  await stage.peer.arrived('/held-live');
  const response = await openEvents(eventsUrl(run));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
  const events: SentEvent[] = [];
  const signs: SentEvent[] = [];
  for await (const event of readEvents(response)) {
    (event.id === undefined ? signs : events).push(event);
    // The reader waits for the step that is under way, whose start it hears of.
    if (event.event === 'step.started') stage.peer.release('/held-live');
  }
  expect(typesOf(events)).toEqual(WHOLE);
  expect(events.map(({ id }) => id)).toEqual(WHOLE.map((_, index) => String(index + 1)));
  expect(events.map(({ data }) => data.sequence)).toEqual(WHOLE.map((_, index) => index + 1));
  expect(signs).toEqual([
    {
      event: 'step.started',
      data: {
        type: 'step.started',
        runId: run.traceId,
        time: expect.any(String),
        step: { id: 'held', name: 'api_call', kind: 'tool', attempt: 1 },
      },
    },
  ]);
  const record = (await endedRun(api, run)).body.data;
  expect(events.at(-1)?.data).toMatchObject({ type: 'run.completed', result: record.result });
  expect(record.steps.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
    ['first', 'completed'],
    ['held', 'completed'],
    ['last', 'completed'],
  ]);

  const later = await follow(run);
  expect(later).toEqual(events);
});

test('a reader goes on after the event that it has, and hears after the last that there are no more', async () => {
  const run = await startRun(api, '/api/tools/execute', calculator('add', 1, 2));
  await endedRun(api, run);
  const all = await follow(run);
  expect(all).toHaveLength(4);
  expect(await follow(run, '', { 'last-event-id': '2' })).toEqual(all.slice(2));
  expect(await follow(run, '?after=3')).toEqual(all.slice(3));
  expect(await follow(run, '?after=1', { 'last-event-id': '3' })).toEqual(all.slice(3));
  const head = await openEvents(eventsUrl(run), { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
  for (const after of ['4', '5', '999999999']) {
    const response = await openEvents(eventsUrl(run), { headers: { 'last-event-id': after } });
    expect([response.status, await response.text()]).toEqual([204, '']);
  }
});

test('events are pages of JSON too', async () => {
  const run = await startRun(api, '/api/workflow/execute-custom', held('/held-json'));
  await stage.peer.arrived('/held-json');
  const now = await getJson(run);
  expect([now.status, now.body.success, now.body.message]).toEqual([
    200,
    true,
    'Events retrieved successfully',
  ]);
  const { events, next } = now.body.data;
  expect(events.map(({ type }: { type: string }) => type)).toEqual(WHOLE.slice(0, 4));
  expect(next).toBe(4);
  stage.peer.release('/held-json');
  await endedRun(api, run);
  const paged: unknown[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = (await getJson(run, `?after=${after}&limit=3`)).body.data as { events: []; next?: number };
    expect(page.events.length).toBeLessThanOrEqual(3);
    paged.push(...page.events);
    after = page.next;
  }
  expect(paged).toEqual((await follow(run)).map(({ data }) => data as unknown));
  expect((await getJson(run, '?after=99')).body.data).toEqual({ events: [] });
});

test('a request that starts a run streams its events where the caller asks for them', async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const start = (more = {}): Promise<Response> =>
    openEvents(`${api.url}/api/v1/tools/execute`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(calculator('add', 20, 22)),
    });
  const response = await start();
  expect(response.status).toBe(200);
  const events = await collectEvents(response);
  expect(typesOf(events)).toEqual(['run.started', 'step.scheduled', 'step.completed', 'run.completed']);
  const traceId = response.headers.get('x-trace-id') ?? '';
  expect(response.headers.get('location')).toContain(`/api/runs/${traceId}?workflowId=`);
  const synchronous = await api.post('/api/tools/execute', calculator('add', 20, 22), headers);
  expect(events.at(-1)?.data.result).toEqual(synchronous.body.data);
  const other = await start({ 'last-event-id': '2', 'idempotency-key': randomUUID() });
  // A caller has no events of a run that its request has just started.
  expect(typesOf(await collectEvents(other))).toEqual(typesOf(events));
  expect((await start({ 'last-event-id': '4' })).status).toBe(204);
  const repeated = await start({ 'last-event-id': '2' });
  expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  expect(await collectEvents(repeated)).toEqual(events.slice(2));
});

test('a request that cannot start a run is an error with the envelope, and one for JSON is not streamed', async () => {
  const open = (body: object, accept: string): Promise<Response> =>
    openEvents(`${api.url}/api/tools/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    });
  const unknown = await open({ toolName: 'nothing', args: {} }, 'text/event-stream');
  expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ success: false })]);
  for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream']) {
    const answer = await open(calculator('add', 1, 2), accept);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(((await answer.json()) as { data: { result: number } }).data.result).toBe(3);
  }
});

test('a failed step, a retried one and the end of a failed run say why', async () => {
  const body = customBody([
    toolStep('broken', 'calculator', { operation: 'divide', a: 1, b: 0 }, { continueOnError: true }),
    fetchStep(
      'refused',
      'http://127.0.0.1:9/',
      {},
      { retry: { maximumAttempts: 2, initialInterval: 3_000 } },
    ),
  ]);
  const run = await startRun(api, '/api/workflow/execute-custom', body);
  const events: SentEvent[] = [];
  for await (const event of readEvents(await openEvents(eventsUrl(run)))) events.push(event);
  const find = (type: string, id?: string): unknown =>
    events.find(({ event, data }) => event === type && (id === undefined || data.step.id === id))?.data;
  expect(find('step.failed', 'broken')).toMatchObject({ error: { message: 'Division by zero' } });
  expect(find('step.retrying', 'refused')).toMatchObject({
    step: { attempt: 2 },
    lastError: { code: 'TOOL_EXECUTION_FAILED' },
  });
  expect(find('step.failed', 'refused')).toMatchObject({
    step: { attempt: 2 },
    error: { code: 'TOOL_EXECUTION_FAILED' },
    lastError: { code: 'TOOL_EXECUTION_FAILED' },
  });
  const { error } = (await endedRun(api, run)).body.data;
  expect(find('run.failed')).toMatchObject({ error });
});

test('the end of a cancelled and of a terminated run is that of its record', async () => {
  for (const how of ['cancel', 'terminate'] as const) {
    const run = await startRun(api, '/api/tools/execute', apiCall(`${stage.peer.url}/held-${how}`));
    await stage.peer.arrived(`/held-${how}`);
    const following = follow(run);
    await stopRun(api, how, run, { reason: 'enough' });
    const { status, error, steps } = (await endedRun(api, run)).body.data;
    const last = (await following).at(-1);
    expect(last?.event).toBe(`run.${status}`);
    expect(last?.data.error).toEqual(error);
    expect(steps).toEqual([expect.objectContaining({ id: '1', status: 'cancelled' })]);
    stage.peer.release(`/held-${how}`);
  }
});

test.each([
  ['', { 'last-event-id': 'x' }, 'Last-Event-ID'],
  ['', { 'last-event-id': '-1' }, 'Last-Event-ID'],
  ['?after=1.5', {}, 'after'],
  ['?after=', {}, 'after'],
  ['?limit=0', {}, 'limit'],
  ['?limit=1001', {}, 'limit'],
  ['?afer=2', {}, 'afer'],
])('a request that is not valid is a 400 before the first byte: %s %j', async (query, headers, field) => {
  const { status, body } = await request(eventsUrl({ traceId: randomUUID(), workflowId: '' }, query), {
    headers: { accept: 'text/event-stream', ...headers },
  });
  expect([status, body.details.field]).toEqual([400, field]);
});

test('a run that does not exist is a 404', async () => {
  const { status, body } = await request(eventsUrl({ traceId: randomUUID(), workflowId: '' }), {
    headers: { accept: 'text/event-stream' },
  });
  expect([status, body.success]).toEqual([404, false]);
});
