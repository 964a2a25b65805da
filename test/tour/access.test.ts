import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, request, send } from '../support/http';
import { bearer, type Key, runKeys, SCOPES, WRONG_KEY } from '../support/keys';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

let service: Service;
let all: Key;
beforeAll(async () => {
  service = await startService({ AUTH: 'keys' });
  all = await keysCommand<Key>('create', '--name', 'all', '--scopes', SCOPES.join(','));
});
afterAll(() => service.stop());

const keysCommand = <T>(...args: string[]): Promise<T> => runKeys(service.dataDir, ...args);
const call = (method: string, path: string, key: string, body?: unknown, headers = {}): Promise<Answer> =>
  send(method, service.url + path, body, { ...bearer(key), ...headers });
const keyWith = (...scopes: string[]): Promise<Key> =>
  call('POST', '/api/keys', all.key, { name: 'test', scopes }).then(({ body }) => body.data as Key);

test('open without a key: probes, basic health, the OpenAPI documents, the pages of the documentation', async () => {
  for (const url of [service.url, service.recordsUrl])
    for (const path of [
      '/',
      '/livez',
      '/readyz',
      '/api/openapi.json',
      '/api-docs',
      '/api-docs/initialise.js',
    ])
      expect([path, (await request(url + path)).status]).toEqual([path, 200]);
  expect((await request(`${service.url}/console`)).status).toBe(200);
  expect((await request(`${service.url}/api/workflow/schema`)).status).toBe(200);
  expect((await request(`${service.recordsUrl}/api/workflow/schema`)).status).toBe(401);
  expect((await request(`${service.url}/api/health`)).status).toBe(200);
  expect((await request(`${service.url}/livez`, { method: 'HEAD' })).status).toBe(200);
  expect((await request(`${service.url}/api/health/detailed`)).status).toBe(401);
});

test('the examples of the operations on keys work, with the id that the document links to', async () => {
  const { paths } = (await request(`${service.url}/api/openapi.json`)).body;
  const create = paths['/api/keys'].post;
  const body = create.requestBody.content['application/json'].example;
  const made = await call('POST', '/api/keys', all.key, body);
  expect(made.status).toBe(201);
  const links = create.responses['201'].links;
  expect([links.rotateKey.parameters, links.revokeKey.parameters]).toEqual(
    Array(2).fill({ id: '$response.body#/data/id' }),
  );
  const { id } = made.body.data;
  expect((await call('POST', `/api/keys/${id}/rotate`, all.key)).status).toBe(200);
  expect((await call('DELETE', `/api/keys/${id}`, all.key)).status).toBe(200);
  expect((await call('GET', '/api/keys', all.key)).status).toBe(200);
});

test('401 comes before everything that the request may have wrong', async () => {
  const headers = { 'content-type': 'application/json' };
  const cases: [string, RequestInit][] = [
    ['/api/tools/execute', { method: 'POST', headers, body: '{' }],
    ['/api/tools/execute', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
    ['/api/tools/execute', { method: 'POST', headers, body: JSON.stringify('x'.repeat(2_000_000)) }],
    ['/api/nothing', {}],
    ['/api/tools', { method: 'PUT' }],
    ['/livez', { method: 'POST' }],
  ];
  for (const [path, init] of cases) {
    const answer = await request(service.url + path, init);
    expect([path, answer.status, answer.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
    expect(answer.body).toMatchObject({ success: false, message: 'Authentication required' });
  }
  const memory = await request(`${service.url}/api/memory/episodic/1`);
  expect(memory.body).toMatchObject({ error: 'Authentication required' });
  expect((await call('GET', '/api/nothing', all.key)).status).toBe(404);
  expect((await call('PUT', '/api/tools', all.key)).status).toBe(405);
});

test('a key from the command line runs a tool; it is refused within a second once another process revokes it', async () => {
  const { id, key } = await keysCommand<Key>('create', '--name', 'short', '--scopes', 'run');
  const body = { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } };
  const answer = await call('POST', '/api/tools/execute', key, body);
  expect([answer.status, answer.body.data.result]).toEqual([200, 5]);
  await keysCommand('revoke', id);
  await delay(1_000);
  expect((await call('POST', '/api/tools/execute', key, body)).status).toBe(401);
});

test('a key of any scope learns what it may do, and a request without a key does not', async () => {
  const self = async (key: string) => (await call('GET', '/api/keys/self', key)).body.data as unknown;
  expect(await self((await keyWith('run')).key)).toEqual({
    ...{ auth: 'keys', scopes: ['run'], tenant: 'default' },
  });
  const body = { name: 'ann', scopes: ['memory', 'read'], tenant: 'acme', userId: 'ann' };
  const ofUser = (await call('POST', '/api/keys', all.key, body)).body.data as Key;
  expect(await self(ofUser.key)).toEqual({
    ...{ auth: 'keys', scopes: ['read', 'memory'], tenant: 'acme', userId: 'ann' },
  });
  expect((await request(`${service.url}/api/keys/self`)).status).toBe(401);
  expect((await call('GET', '/api/keys/self', WRONG_KEY)).status).toBe(401);
});

test('administrators create, list, rotate and revoke keys over HTTP', async () => {
  const created = await call('POST', '/api/keys', all.key, {
    name: 'reports',
    scopes: ['read'],
    expiresAt: '2100-01-01T00:00:00Z',
  });
  expect(created.status).toBe(201);
  const { id, key } = created.body.data as Key;
  expect((await call('GET', '/api/tools', key)).status).toBe(200);

  const listed = await call('GET', '/api/keys', all.key);
  expect(listed.body.data.keys).toContainEqual({
    id,
    name: 'reports',
    scopes: ['read'],
    tenant: 'default',
    createdAt: expect.any(String),
    expiresAt: '2100-01-01T00:00:00.000Z',
  });
  expect(listed.text).not.toContain('hfast_');

  const rotated = await call('POST', `/api/keys/${id}/rotate`, all.key);
  expect((await call('GET', '/api/tools', key)).status).toBe(401);
  const next = (rotated.body.data as Key).key;
  expect((await call('GET', '/api/tools', next)).status).toBe(200);
  expect((await call('DELETE', `/api/keys/${id}`, all.key)).status).toBe(200);
  expect((await call('GET', '/api/tools', next)).status).toBe(401);
  expect((await call('DELETE', `/api/keys/${id}`, all.key)).status).toBe(404);
  for (const body of [
    {},
    { name: 'a', scopes: [] },
    { name: 'a', scopes: ['all'] },
    { name: '', scopes: ['run'] },
  ])
    expect((await call('POST', '/api/keys', all.key, body)).status).toBe(400);
});

test('an Idempotency-Key belongs to its caller', async () => {
  const [one, other] = await Promise.all([keyWith('run'), keyWith('run')]);
  const headers = { 'idempotency-key': 'monday' };
  const add = (b: number) => ({ toolName: 'calculator', args: { operation: 'add', a: 1, b } });
  const first = await call('POST', '/api/tools/execute', one.key, add(1), headers);
  const second = await call('POST', '/api/tools/execute', other.key, add(2), headers);
  expect([first.body.data.result, second.body.data.result]).toEqual([2, 3]);
  expect(second.headers.get('idempotent-replayed')).toBeNull();
  const repeated = await call('POST', '/api/tools/execute', one.key, add(1), headers);
  expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  expect(repeated.headers.get('x-workflow-id')).toBe(first.headers.get('x-workflow-id'));
  expect(repeated.headers.get('x-workflow-id')).not.toContain(one.id);
});

test('events of a run need a key too, and the stream of a start', async () => {
  const start = await call('POST', '/api/tools/execute', all.key, {
    toolName: 'calculator',
    args: { operation: 'add', a: 1, b: 1 },
  });
  const path = `/api/runs/${start.headers.get('x-trace-id')}/events`;
  expect((await request(service.url + path)).status).toBe(401);
  const events = await request(service.url + path, {
    headers: { ...bearer(all.key), accept: 'text/event-stream' },
  });
  expect([events.status, events.text.includes('run.completed')]).toEqual([200, true]);
});

test('a preflight needs no key, and lets pages send one', async () => {
  const preflight = await request(`${service.recordsUrl}/api/facilities`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
});

test('many wrong keys of one id have to wait, and keep no right key away', async () => {
  const { key: unused } = await keyWith('read');
  const refused = await waitFor(
    async () => {
      const answer = await call('GET', '/api/tools', WRONG_KEY);
      return answer.status === 429 && answer;
    },
    { what: 'the wrong keys to be too many' },
  );
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body).toMatchObject({ message: 'Too many failed attempts' });
  expect((await call('GET', '/api/tools', unused)).status).toBe(200);
});

test('the log has the ids of keys and no key', () => {
  const log = JSON.stringify(service.process.lines) + service.process.output();
  expect(log).not.toContain('hfast_');
  expect(log).toContain(`"keyId":"${all.id}"`);
  expect(log).toContain('a key or token was refused');
});
