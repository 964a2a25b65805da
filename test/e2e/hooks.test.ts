import { createHmac } from 'node:crypto';
import { bearer, type Key, runKeys } from '../support/keys';
import { type Answer, send } from '../support/http';
import { type Service, startService } from '../support/service';

let service: Service;
let tools: Key;
let acme: Key;
const SECRET = 'a-secret-of-some-length';
const CALL = { toolName: 'calculator', args: { operation: 'add', a: '{{body.amount}}', b: 1 } };
const PAYMENT = {
  id: 'payment',
  name: 'Payment',
  inputs: { body: { type: 'object', description: 'What was sent' } },
  steps: [{ id: 'add', type: 'tool_execution', config: CALL }],
};

beforeAll(async () => {
  service = await startService({ AUTH: 'keys' });
  const scopes = 'read,run,tools';
  const create = (...args: string[]): Promise<Key> =>
    runKeys(service.dataDir, 'create', '--name', 'k', ...args);
  tools = await create('--scopes', scopes);
  acme = await create('--scopes', scopes, '--tenant', 'acme');
});
afterAll(() => service.stop());

const call = (key: Key, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(method, service.url + path, body, bearer(key.key));
async function put(key: Key, id: string, hook: object): Promise<{ path: string }> {
  const { status, body } = await call(key, 'PUT', `/api/hooks/${id}`, {
    workflowId: 'payment',
    secret: SECRET,
    ...hook,
  });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}
async function deliver(path: string, body: string, headers: Record<string, string>) {
  const response = await fetch(service.url + path, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}
const github = (body: string): Record<string, string> => ({
  'Content-Type': 'application/json',
  'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  'X-GitHub-Delivery': '1',
});

test('a signed request starts the workflow once, for the tenant of its hook', async () => {
  for (const key of [tools, acme]) {
    expect((await call(key, 'POST', '/api/workflow/workflows', PAYMENT)).status).toBe(201);
    const { path } = await put(key, 'shop', { verify: 'github' });
    expect(path).toBe(key === tools ? '/hooks/shop' : '/hooks/acme.shop');
    const body = '{ "amount": 41 }';
    const [first, again] = [await deliver(path, body, github(body)), await deliver(path, body, github(body))];
    expect([first?.status, again?.status]).toEqual([202, 202]);
    const { traceId } = JSON.parse(first?.text ?? '').data as { traceId: string };
    expect(JSON.parse(again?.text ?? '').data.traceId).toBe(traceId);
    const { body: run } = await call(key, 'GET', `/api/runs/${traceId}/wait?timeout=30`);
    expect(run.data).toMatchObject({ status: 'completed', result: { results: { add: { result: 42 } } } });
    expect((await call(key === tools ? acme : tools, 'GET', `/api/runs/${traceId}`)).status).toBe(404);
  }
});

test('an unknown hook, an unknown tenant and a wrong signature are one answer, and the secret is never shown', async () => {
  await put(tools, 'quiet', { verify: 'token' });
  const wrong = { Authorization: 'Bearer wrong-secret-of-length', 'Content-Type': 'application/json' };
  const answers = await Promise.all(
    ['/hooks/quiet', '/hooks/none', '/hooks/nobody.quiet', '/hooks/acme.quiet', '/hooks/%C3%84'].map((path) =>
      deliver(path, '{}', wrong),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const listed = await call(tools, 'GET', '/api/hooks');
  expect(listed.body.data.hooks).toHaveLength(2);
  expect(listed.text).not.toContain(SECRET);
  expect((await call(tools, 'GET', '/api/hooks/quiet')).text).not.toContain(SECRET);
  expect((await call(acme, 'GET', '/api/hooks/quiet')).status).toBe(404);
});

test('runs get no credentials, only what the workflow declares, and text as text', async () => {
  const echo = {
    id: 'echo',
    name: 'Echo',
    inputs: { body: { description: 'b' }, headers: { type: 'object', description: 'h' } },
    steps: [
      { id: 'add', type: 'tool_execution', config: { ...CALL, args: { operation: 'add', a: 1, b: 1 } } },
    ],
  };
  await call(tools, 'POST', '/api/workflow/workflows', echo);
  const { path } = await put(tools, 'echo', { workflowId: 'echo', verify: 'token' });
  const { status, text } = await deliver(path, 'a=1&b=2', {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Hook-Token': SECRET,
    'X-Api-Key': 'k-1234567890',
    'X-Event': 'push',
  });
  expect(status).toBe(202);
  const { traceId } = JSON.parse(text).data as { traceId: string };
  const { body } = await call(tools, 'GET', `/api/runs/${traceId}`);
  expect(body.data.input.inputs).toMatchObject({ body: 'a=1&b=2', headers: { 'x-event': 'push' } });
  expect(Object.keys(body.data.input.inputs.headers as object)).not.toEqual(
    expect.arrayContaining(['x-hook-token']),
  );
  expect(JSON.stringify(body.data.input)).not.toMatch(new RegExp(`${SECRET}|k-1234567890`));
});

test('a body that is too large, compressed or no JSON is refused, and so is a hook of a workflow that is not there', async () => {
  const { path } = await put(tools, 'strict', { verify: 'token' });
  const token = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' };
  expect((await deliver(path, '{"amount":', token)).status).toBe(400);
  expect((await deliver(path, '{}', { ...token, 'Content-Encoding': 'gzip' })).status).toBe(415);
  expect((await deliver(path, JSON.stringify({ text: 'x'.repeat(2_000_000) }), token)).status).toBe(413);
  const missing = await call(tools, 'PUT', '/api/hooks/missing', {
    workflowId: 'none',
    verify: 'token',
    secret: SECRET,
  });
  expect(missing.status).toBe(404);
  const short = await call(tools, 'PUT', '/api/hooks/short', {
    workflowId: 'payment',
    verify: 'standard',
    secret: SECRET,
  });
  expect([short.status, short.body.details.field]).toEqual([400, 'secret']);
  expect((await call(tools, 'DELETE', '/api/hooks/strict')).status).toBe(200);
  expect((await deliver(path, '{}', token)).status).toBe(401);
});
