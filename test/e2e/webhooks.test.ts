import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { Delivery } from '../../src/contracts/http/webhooks';
import { answerApproval, approvalsIn } from '../support/approvals';
import { calculator } from '../support/calls';
import type { Answer } from '../support/http';
import { clearMemories, LEXICAL } from '../support/memories';
import type { PartProcess } from '../support/process';
import { openStage, type Api, type Stage } from '../support/stage';
import { type PeerRequest, startStubPeer, type StubPeer } from '../support/stub-peer';
import { waitFor } from '../support/wait';

const secretOf = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = secretOf();
const ADD = calculator('add', 2, 3);
const FIRST_DELAY_MS = 4_500;

interface Received extends PeerRequest {
  readonly at: number;
}

let stage: Stage;
let api: Api;
let worker: PartProcess;
let receiver: StubPeer;
const received: Received[] = [];
/** What the receiver answers at a path, by the number of the request there; default 204. */
const answers = new Map<string, (count: number, response: ServerResponse) => void>();

beforeAll(async () => {
  stage = await openStage();
  receiver = await startStubPeer((request, response) => {
    received.push({ ...request, at: Date.now() });
    const answer = answers.get(request.path);
    if (answer === undefined) response.writeHead(204).end();
    else answer(at(request.path).length, response);
  });
  [api, worker] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
});
afterAll(async () => {
  await stage.close();
  await receiver.close();
});

const at = (path: string): Received[] => received.filter((request) => request.path === path);
const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
const to = (path: string, more: object = {}) => ({
  options: { webhook: { url: receiver.url + path, secret: SECRET, ...more } },
});
const execute = (body: object, key: string = randomUUID(), by = api): Promise<Answer> =>
  by.post('/api/tools/execute', body, { 'idempotency-key': key });
const traceOf = ({ headers }: Answer): string => headers.get('x-trace-id') ?? '';

function arrived(path: string, count = 1): Promise<Received[]> {
  return waitFor(() => (at(path).length >= count ? at(path) : undefined), {
    what: `${count} messages at ${path}`,
  });
}

function verified({ body, headers }: Received, secret = SECRET) {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };
}

/** The deliveries of a run, as soon as there are as many in this state. */
function deliveries(traceId: string, state: Delivery['status'], count = 1, by = api): Promise<Delivery[]> {
  return waitFor(
    async () => {
      const { body } = await by.get(`/api/webhooks/deliveries?traceId=${traceId}&status=${state}`);
      const listed = body.data.deliveries as Delivery[];
      return listed.length >= count ? listed : undefined;
    },
    { what: `${count} deliveries of ${traceId} that are ${state}` },
  );
}

test('the end of a run is delivered once, signed, with the record of the run', async () => {
  const answer = await execute({ ...ADD, ...to('/once') });
  expect(answer.status).toBe(200);
  const [message] = await arrived('/once');
  const { type, timestamp, data } = verified(message!);
  const record = (await api.get(`/api/runs/${traceOf(answer)}`)).body.data;
  expect([type, timestamp, data]).toEqual(['run.completed', record.closedAt, record]);
  expect(message!.headers['webhook-id']).toMatch(/^msg_\w+_end$/);

  const [delivery] = await deliveries(traceOf(answer), 'delivered');
  expect(delivery).toEqual({
    id: expect.any(String),
    type: 'run.completed',
    traceId: traceOf(answer),
    host: new URL(receiver.url).host,
    status: 'delivered',
    attempts: 1,
    lastStatus: 204,
    createdAt: expect.any(String),
    endedAt: expect.any(String),
  });
  const { runs } = (await api.get('/api/runs')).body.data as { runs: { type: string }[] };
  expect(runs.filter(({ type: listed }) => listed.startsWith('webhook'))).toEqual([]);

  const again = await api.post(`/api/webhooks/deliveries/${delivery!.id}/resend`, {});
  expect([again.status, again.body.data]).toMatchObject([202, { status: 'pending', attempts: 0 }]);
  const [, second] = await arrived('/once', 2);
  expect([second!.body, second!.headers['webhook-id']]).toEqual([
    message!.body,
    message!.headers['webhook-id'],
  ]);
  await deliveries(traceOf(answer), 'delivered', 2);
  const unknown = await api.post('/api/webhooks/deliveries/bm9uZQ/resend', {});
  expect([unknown.status, unknown.body.code]).toEqual([404, 'DELIVERY_NOT_FOUND']);
});

test('events come in their order, each once, also if the receiver fails in between', async () => {
  const events = ['run.started', 'approval.requested', 'approval.answered', 'run.completed'];
  answers.set('/events', (count, response) => {
    if (count === 2) status(503)(response);
    else if (count === 3) status(429, { 'retry-after': '12' })(response);
    else status(204)(response);
  });
  const { webhook } = to('/events', { events }).options;
  const asked = await execute({ ...ADD, options: { webhook, approval: { tools: 'all' } } });
  const [approval] = approvalsIn(asked);
  await answerApproval(api, approval!, { decision: 'approve' });
  const messages = await arrived('/events', 6);
  const types = messages.map((message) => verified(message).type);
  expect(types).toEqual([
    'run.started',
    'approval.requested',
    'approval.requested',
    'approval.requested',
    'approval.answered',
    'run.completed',
  ]);
  const [, first, second, third] = messages;
  expect(second!.at - first!.at).toBeGreaterThan(FIRST_DELAY_MS);
  expect(third!.at - second!.at).toBeGreaterThan(12_000 - 500);
  expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
  expect(new Set(messages.slice(1, 4).map(({ body }) => body)).size).toBe(1);
  const [delivery] = (await deliveries(asked.body.data.traceId as string, 'delivered', 4)).filter(
    ({ type }) => type === 'approval.requested',
  );
  expect(delivery).toMatchObject({ attempts: 3, lastStatus: 204 });
});

test('a receiver that is gone gets no other event of the run', async () => {
  answers.set('/gone', (_, response) => status(410)(response));
  const answer = await execute({ ...ADD, ...to('/gone', { events: ['run.started', 'run.completed'] }) });
  expect(await deliveries(traceOf(answer), 'failed')).toMatchObject([
    { type: 'run.started', attempts: 1, lastStatus: 410 },
  ]);
  await waitFor(
    async () => (await deliveries(traceOf(answer), 'failed')).length === 1 && at('/gone').length === 1,
    { what: 'one message' },
  );
});

test('a redirect is not followed, and counts as a failure', async () => {
  answers.set('/moved', (count, response) =>
    count === 1 ? status(307, { location: '/elsewhere' })(response) : status(204)(response),
  );
  const answer = await execute({ ...ADD, ...to('/moved') });
  await arrived('/moved', 2);
  expect(await deliveries(traceOf(answer), 'delivered')).toMatchObject([{ attempts: 2 }]);
  expect(at('/elsewhere')).toEqual([]);
});

test('a failed run is delivered too; credentials are struck out, and a long result is left out', async () => {
  await api.post('/api/tools/register', {
    name: 'wordy',
    parameters: { length: 'number' },
    execute: '({ length }) => ({ password: "hunter2", text: "x".repeat(length) })',
  });
  const call = (length: number) => ({ toolName: 'wordy', args: { length } });
  await execute({ ...call(10), ...to('/short') });
  await execute({ ...call(300_000), ...to('/long') });
  await execute({ ...call(2_000_000), ...to('/stored') });
  const failed = await execute({ ...calculator('divide', 1, 0), ...to('/failed') });
  expect(failed.status).toBe(500);
  const [short, long, stored, failure] = await Promise.all(
    ['/short', '/long', '/stored', '/failed'].map(async (path) => (await arrived(path))[0]),
  );
  expect(verified(short!).data['result']).toMatchObject({ result: { password: '[hidden]' } });
  for (const message of [long!, stored!]) {
    expect(verified(message)).toMatchObject({ type: 'run.completed', data: { status: 'completed' } });
    expect(verified(message).data).not.toHaveProperty('result');
  }
  expect(verified(failure!)).toMatchObject({
    type: 'run.failed',
    data: { error: { code: 'TOOL_EXECUTION_FAILED' } },
  });
});

test('with two secrets there is a signature of each', async () => {
  const other = secretOf();
  await execute({ ...ADD, ...to('/both', { secret: `${SECRET} ${other}` }) });
  const [message] = await arrived('/both');
  for (const secret of [SECRET, other]) expect(verified(message!, secret).type).toBe('run.completed');
  expect(() => verified(message!, secretOf())).toThrow();
});

test('a private address is refused if the API permits none', async () => {
  const strict = await stage.api({ ...LEXICAL, EGRESS_ALLOW_PRIVATE: 'false' });
  const answer = await execute({ ...ADD, ...to('/private') }, randomUUID(), strict);
  expect(answer.status).toBe(200);
  expect(await deliveries(traceOf(answer), 'failed')).toMatchObject([
    { attempts: 1, lastProblem: expect.stringContaining('EGRESS_ALLOW_PRIVATE') },
  ]);
  expect(at('/private')).toEqual([]);
});

test('the settings name a receiver for all runs, and a request may name another one', async () => {
  const deployment = secretOf();
  const settings = { WEBHOOK_URL: `${receiver.url}/default`, WEBHOOK_SECRET: deployment };
  const reporting = await stage.api({ ...LEXICAL, ...settings });
  const plain = await execute(ADD, randomUUID(), reporting);
  const [message] = await arrived('/default');
  expect(verified(message!, deployment).data['traceId']).toBe(traceOf(plain));

  const ownUrl = { options: { webhook: { url: `${receiver.url}/override` } } };
  await execute({ ...ADD, ...ownUrl }, randomUUID(), reporting);
  const [overridden] = await arrived('/override');
  expect(verified(overridden!, deployment).type).toBe('run.completed');
  expect(at('/default')).toHaveLength(1);

  const strange = { options: { webhook: { url: 'https://receiver.example/hook' } } };
  for (const refused of [
    await execute({ ...ADD, ...strange }, randomUUID(), reporting),
    await execute({ ...ADD, ...ownUrl }),
  ])
    expect([refused.status, refused.body.details?.field]).toEqual([400, 'options.webhook.secret']);
});

test('a repeat under the same key delivers nothing twice, and one with another webhook is refused', async () => {
  const key = randomUUID();
  const first = await execute({ ...ADD, ...to('/keyed') }, key);
  await arrived('/keyed');
  const repeat = await execute({ ...ADD, ...to('/keyed') }, key);
  expect(traceOf(repeat)).toBe(traceOf(first));
  const conflict = await execute({ ...ADD, ...to('/foreign') }, key);
  expect([conflict.status, conflict.body.code]).toEqual([409, 'RUN_CONFLICT']);
  expect(await deliveries(traceOf(first), 'delivered')).toHaveLength(1);
  expect([at('/keyed').length, at('/foreign').length]).toEqual([1, 0]);
});

test('an erasure drops what has not been delivered', async () => {
  answers.set('/erased', (_, response) => status(503)(response));
  await api.post('/api/agent/initialize', {});
  const userId = `user-${randomUUID()}`;
  const { webhook } = to('/erased').options;
  const turn = { query: 'What is 2 plus 3?', options: { userId, sessionId: 'one', webhook } };
  const answer = await api.post('/api/agent/execute', turn);
  expect(answer.status).toBe(200);
  const [pending] = await deliveries(traceOf(answer), 'pending');
  const early = await api.post(`/api/webhooks/deliveries/${pending!.id}/resend`, {});
  expect([early.status, early.body.code]).toEqual([409, 'DELIVERY_PENDING']);
  expect((await clearMemories(api, userId)).status).toBe(200);
  const left = await waitFor(
    async () => {
      const { body } = await api.get('/api/webhooks/deliveries?limit=500');
      const listed = body.data.deliveries as Delivery[];
      return listed.every(({ traceId }) => traceId !== traceOf(answer)) ? listed : undefined;
    },
    { what: 'the delivery to be gone' },
  );
  expect(left.length).toBeGreaterThan(0);
});

test('a message whose worker is killed is sent again', async () => {
  await worker.stop();
  const killed = await stage.worker(LEXICAL);
  answers.set('/killed', (count, response) => {
    if (count > 1) status(204)(response);
  });
  const answer = await execute({ ...ADD, ...to('/killed') });
  await arrived('/killed');
  await killed.kill();
  await stage.worker(LEXICAL);
  // The attempt of the killed worker is not counted, since nothing is known of it.
  expect(await deliveries(traceOf(answer), 'delivered')).toMatchObject([{ attempts: 1, lastStatus: 204 }]);
  const ids = at('/killed').map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
});
