import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { answerOf, ask, initializeAgent } from '../support/agent';
import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import { apiCall, calculator } from '../support/calls';
import { LEXICAL, newUser } from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const HOUR_MS = 3_600_000;
const PRELOAD = join(__dirname, '..', 'support', 'shifted-clock.cjs');
const shifted = (ms: number) => ({
  ...LEXICAL,
  NODE_OPTIONS: `--require ${PRELOAD}`,
  CLOCK_SHIFT_MS: String(ms),
});
const PRIVATE = { EGRESS_ALLOW_PRIVATE: 'true' };

interface Machine {
  readonly what: string;
  readonly start: (stage: Stage) => Promise<Api>;
  /** Of the API. */
  readonly skewMs: number;
}

const MACHINES: readonly Machine[] = [
  {
    what: 'an API an hour behind with a worker 30 s ahead',
    skewMs: -HOUR_MS,
    async start(stage) {
      const [api] = await Promise.all([stage.api(shifted(-HOUR_MS)), stage.worker(shifted(30_000))]);
      return api;
    },
  },
  {
    what: 'a service an hour ahead',
    skewMs: HOUR_MS,
    start: (stage) => stage.allInOne({ ...shifted(HOUR_MS), ...PRIVATE }),
  },
];

describe.each(MACHINES)('$what', ({ start, skewMs }) => {
  let stage: Stage;
  let api: Api;

  beforeAll(async () => {
    stage = await openStage();
    api = await start(stage);
    await initializeAgent(api);
  });
  afterAll(() => stage.close());

  const execute = (body: object) => api.post('/api/tools/execute', body);

  test('is healthy, and its health says by how much the clock differs', async () => {
    const { status, body } = await api.get('/api/health/detailed');
    expect([status, body.data.services.workers.status]).toEqual([200, 'healthy']);
    const { skewMs: measured, warning } = body.data.clock;
    expect(Math.abs(measured - skewMs)).toBeLessThan(2_000);
    expect(warning).toContain(
      `3600 s ${skewMs > 0 ? 'ahead of' : 'behind'} that of the Temporal server; synchronize both`,
    );
    expect(api.process.lines.filter(({ msg }) => msg === warning)).toHaveLength(1);
  });

  test('runs tools of every kind within their limits', async () => {
    expect((await execute(calculator('add', 1, 2))).body.data.result).toEqual(3);
    expect((await execute(apiCall(`${stage.peer.url}/now`))).body.data.result.status).toBe(200);
    await api.post('/api/tools/register', { name: 'own', parameters: {}, execute: '() => 7' });
    expect((await execute({ toolName: 'own', args: {} })).body.data.result).toBe(7);
    const several = { tools: [calculator('add', 1, 2), calculator('multiply', '{{previous_result}}', 2)] };
    const { body } = await api.post('/api/tools/execute-sequential', several);
    expect(body.data.errors).toEqual([]);
  });

  test('ends a tool at its limit, and not before', async () => {
    const began = performance.now();
    const late = await execute({
      ...apiCall(`${stage.peer.url}/held/${randomUUID()}`),
      options: { timeout: 700 },
    });
    expect(late.body.message).toBe('Tool execution timeout');
    expect(performance.now() - began).toBeGreaterThan(690);
  });

  test('plans and answers turns, in order', async () => {
    const planned = await api.post('/api/tools/mcp', { query: 'add 20 and 22' });
    expect(planned.body.data.finalResult).toBe(42);
    const userId = newUser();
    const say = (query: string) => answerOf(ask(api, query, { userId, sessionId: 's' }));
    const [first, second] = await Promise.all([say('My name is Dana'), say('What is 15 times 7?')]);
    expect([first.metadata.degraded, second.metadata.degraded]).toEqual([[], []]);
    expect(second.response).toContain('105');
  });

  test('waits for an approval until its deadline', async () => {
    const guarded = (deadlineMs: number) => ({
      ...calculator('add', 1, 2),
      options: { approval: { tools: 'all', deadlineMs } },
    });
    const keyed = (body: object, key: string) =>
      api.post('/api/tools/execute', body, { 'idempotency-key': key });
    const [key, lateKey] = [randomUUID(), randomUUID()];
    const [approval] = approvalsIn(await keyed(guarded(600_000), key));
    approvalsIn(await keyed(guarded(1_000), lateKey));
    const link = await api.post(`/api/approvals/${approval!.id}/links`, { expiresInMs: 60_000 });
    const page = await fetch(link.body.data.url as string);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('calculator')]);
    expect((await answerApproval(api, approval!, { decision: 'approve' })).status).toBe(200);
    expect((await untilEnded(() => keyed(guarded(600_000), key))).body.data.result).toBe(3);
    const expired = await untilEnded(() => keyed(guarded(1_000), lateKey));
    expect(expired.text).toContain('no answer came by the deadline');
  });

  test('finds a run that has just begun', async () => {
    const { headers } = await execute(calculator('add', 1, 2));
    const found = await waitFor(() => api.get(`/api/runs/${headers.get('x-trace-id')}`), { what: 'the run' });
    expect(found.status).toBe(200);
  });
});
