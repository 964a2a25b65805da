import { upload } from '../support/files';
import { type Answer, request, send } from '../support/http';
import { bearer, type Key, runKeys, SCOPES } from '../support/keys';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

let service: Service;
let admin: string;
let ann: string;
let bob: string;
beforeAll(async () => {
  service = await startService({ AUTH: 'keys' });
  admin = await create('admin', ...SCOPES);
  ann = await create('ann', ...SCOPES, '--user', 'ann');
  bob = await create('bob', ...SCOPES, '--user', 'bob');
  for (const path of ['agent', 'memory-chat', 'intent-classifier'].map((area) => `/api/${area}/initialize`))
    expect((await call(admin, 'POST', path, {})).status).toBe(200);
});
afterAll(() => service.stop());

/** Creates a key by the command line. @param args its scopes, then further options */
async function create(name: string, ...args: string[]): Promise<string> {
  const scopes = args.filter((arg) => (SCOPES as readonly string[]).includes(arg));
  const rest = args.filter((arg) => !(SCOPES as readonly string[]).includes(arg));
  const key = await runKeys<Key>(
    service.dataDir,
    ...['create', '--name', name, '--scopes', scopes.join(','), ...rest],
  );
  return key.key;
}

const call = (key: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  send(method, service.url + path, body, { ...bearer(key), ...headers });

const remember = async (key: string, userId: string, content: string): Promise<string> => {
  const body = { userId, sessionId: 's', content };
  const { status, body: answer } = await call(key, 'POST', '/api/memory/episodic', body);
  expect(status).toBe(201);
  return answer.data.id as string;
};
const learn = async (key: string, userId: string, concept: string): Promise<string> => {
  const body = { userId, concept, description: 'a concept' };
  const { body: answer } = await call(key, 'POST', '/api/memory/semantic', body);
  return answer.data.id as string;
};
const addition = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };

/** Requests that name a user, each with the place where it does. */
const NAMING: readonly [method: string, path: string, body?: (userId: string) => unknown][] = [
  ['POST', '/api/memory/episodic', (userId) => ({ userId, sessionId: 's', content: 'x' })],
  ['POST', '/api/memory/episodic/search', (userId) => ({ userId })],
  ['POST', '/api/memory/semantic', (userId) => ({ userId, concept: 'x', description: 'y' })],
  ['POST', '/api/memory/semantic/search', (userId) => ({ userId, query: 'x' })],
  ['POST', '/api/memory/search', (userId) => ({ userId, query: 'x' })],
  ['GET', '/api/memory/context/:userId/s'],
  ['GET', '/api/memory/stats/:userId'],
  ['GET', '/api/memory/list/:userId'],
  ['GET', '/api/memory/sessions/:userId'],
  ['GET', '/api/memory/facts/:userId'],
  ['GET', '/api/memory/graph/:userId'],
  ['GET', '/api/memory/export/:userId'],
  ['GET', '/api/memory/export?userId=:userId'],
  ['POST', '/api/memory/consolidate/:userId', () => ({ dryRun: true })],
  ['GET', '/api/memory/consolidations/:userId'],
  ['DELETE', '/api/memory/clear/:userId'],
  ['DELETE', '/api/memory/clear?userId=:userId'],
  ['GET', '/api/memory-chat/history/:userId/s'],
  ['GET', '/api/memory-chat/insights/:userId'],
  ['POST', '/api/memory-chat/search', (userId) => ({ userId, query: 'x' })],
  ['POST', '/api/memory-chat/knowledge', (userId) => ({ userId, concept: 'x', description: 'y' })],
  ['POST', '/api/memory-chat/knowledge/search', (userId) => ({ userId, query: 'x' })],
  ['POST', '/api/memory-chat/enhance-context', (userId) => ({ userId, sessionId: 's', query: 'x' })],
  ['POST', '/api/memory-chat/chat', (userId) => ({ userId, sessionId: 's', message: 'hello' })],
  ['POST', '/api/agent/execute', (userId) => ({ query: 'hello', options: { userId, sessionId: 's' } })],
  [
    'POST',
    '/api/intent-classifier/classify',
    (userId) => ({ query: 'hello', options: { userId, sessionId: 's' } }),
  ],
  [
    'POST',
    '/api/intent-classifier/classify-batch',
    (userId) => ({ queries: [{ id: '1', query: 'hello', options: { userId, sessionId: 's' } }] }),
  ],
  ['GET', '/api/runs?userId=:userId'],
  ['GET', '/api/approvals?userId=:userId'],
  ['GET', '/api/usage?userId=:userId'],
  [
    'POST',
    '/api/schedules',
    (userId) => ({
      spec: { cron: ['@yearly'] },
      action: { type: 'agent', request: { query: 'hello', options: { userId, sessionId: 's' } } },
    }),
  ],
];
/** Requests that name a user and something that the user has to have. */
const NAMING_OWN: typeof NAMING = [
  ['PATCH', '/api/memory/facts/:userId/none', () => ({ value: 'x' })],
  ['DELETE', '/api/memory/facts/:userId/none'],
  ['POST', '/api/memory/consolidations/:userId/none/undo', () => ({})],
  ['GET', '/api/memory/import/:userId/none'],
  ['GET', '/api/files/none?userId=:userId'],
  ['DELETE', '/api/files/none?userId=:userId'],
  ['PUT', '/api/memory/episodic/none', (userId) => ({ userId })],
  ['PUT', '/api/memory/semantic/none', (userId) => ({ userId })],
  ['PUT', '/api/memory-chat/knowledge/none', (userId) => ({ userId })],
];
/** Operations whose bodies are not JSON, which `memory-import.test.ts` and a test below try. */
const UPLOADS = ['POST /api/memory/import/{userId}', 'POST /api/files'];
/** Operations that no key of one user may use. */
const OF_ADMINISTRATORS = ['POST /api/keys', 'GET /api/memory/erasures/{id}'];
/** The parts in which `checkNamedUsers` looks; besides, `queries[].options` of a batch, whose schema is not in the document. */
const PLACES = new Set(['params.userId', 'query.userId', 'body.userId', 'body.options.userId']);

test('a key of a user may name only that user', async () => {
  for (const [method, path, body] of [...NAMING, ...NAMING_OWN]) {
    const asked = await call(ann, method, path.replace(':userId', 'bob'), body?.('bob'));
    expect([path, asked.status, asked.text.includes('Access denied')]).toEqual([path, 403, true]);
  }
  for (const [method, path, body] of NAMING.filter(([verb]) => verb !== 'DELETE')) {
    const asked = await call(ann, method, path.replace(':userId', 'ann'), body?.('ann'));
    expect([path, asked.status < 300]).toEqual([path, true]);
  }
  for (const [method, path, body] of NAMING_OWN) {
    const asked = await call(ann, method, path.replace(':userId', 'ann'), body?.('ann'));
    expect([path, asked.status]).toEqual([path, 404]);
  }
  expect((await call(ann, 'GET', '/api/memory/erasures/none')).status).toBe(403);
  // A user is never filled in for the caller, and none is overlooked in a field that means nothing.
  const nameless = { sessionId: 's', content: 'x' };
  expect((await call(ann, 'POST', '/api/memory/episodic', nameless)).status).toBe(400);
  const event = await remember(ann, 'ann', 'an event');
  const path = `/api/memory/episodic/${event}`;
  expect((await call(ann, 'PUT', path, { userId: 'bob', content: 'y' })).status).toBe(403);
  expect((await call(ann, 'PUT', path, { userId: 'ann', content: 'y' })).status).toBe(200);
});

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

test('every place where a request can name a user is looked at, and has a case above', async () => {
  const { body: document } = await request(`${service.url}/api/openapi.json`);
  const found: [operation: string, place: string][] = [];
  function search(schema: Schema | undefined, operation: string, place: string, depth = 0): void {
    if (schema === undefined || depth > 8) return;
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) search(document.components.schemas[name], operation, place, depth + 1);
    for (const each of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
      search(each, operation, place, depth + 1);
    search(schema.items, operation, `${place}[]`, depth + 1);
    for (const [property, each] of Object.entries(schema.properties ?? {})) {
      if (property === 'userId') found.push([operation, `${place}.userId`]);
      search(each, operation, `${place}.${property}`, depth + 1);
    }
  }
  /* eslint-disable @typescript-eslint/no-explicit-any -- a document of OpenAPI */
  for (const [path, item] of Object.entries<any>(document.paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries<any>(item)) {
      const operation = `${method.toUpperCase()} ${path}`;
      for (const parameter of parameters)
        if (parameter.name === 'userId')
          found.push([operation, `${parameter.in === 'path' ? 'params' : 'query'}.userId`]);
      for (const { schema } of Object.values<any>(requestBody?.content ?? {}))
        search(schema, operation, 'body');
    }
  }
  /* eslint-enable @typescript-eslint/no-explicit-any */
  const others = found.filter(([operation]) => !OF_ADMINISTRATORS.includes(operation));
  expect(others.filter(([, place]) => !PLACES.has(place))).toEqual([]);
  const named = [...NAMING, ...NAMING_OWN].map(([method, path]) => {
    const pattern = path
      .replace(/\?.*/, '')
      .replace(':userId', '{userId}')
      .replace(/\/s$/, '/{sessionId}')
      .replace(/(episodic|semantic|knowledge|files)\/none$/, '$1/{id}')
      .replace(/(import\/\{userId\})\/none$/, '$1/{importId}')
      .replace(/\/none$/, '/{factId}')
      .replace(/\/none\/undo$/, '/{id}/undo');
    return `${method} ${pattern}`;
  });
  const cases = [...named, ...UPLOADS];
  const missing = others.map(([operation]) => operation).filter((operation) => !cases.includes(operation));
  expect(missing).toEqual([]);
});

test('memories of others do not exist for a key of a user, whatever it does with their ids', async () => {
  const event = await remember(bob, 'bob', 'a secret of Bob');
  const concept = await learn(bob, 'bob', 'a concept of Bob');
  const own = await remember(ann, 'ann', 'an event of Ann');
  const tries: [string, string, unknown?][] = [
    ...(['GET', 'DELETE', 'PUT'] as const).flatMap((method): [string, string, unknown?][] => {
      const body = method === 'PUT' ? { description: 'changed' } : undefined;
      return [
        [method, `/api/memory/episodic/${event}`, method === 'PUT' ? { content: 'changed' } : undefined],
        [method, `/api/memory/semantic/${concept}`, body],
        [method, `/api/memory-chat/knowledge/${concept}`, body],
      ];
    }),
    ['GET', `/api/memory/related/${event}`],
    ['GET', `/api/memory/related/${concept}`],
  ];
  for (const [method, path, body] of tries) {
    const asked = await call(ann, method, path, body);
    expect([method, path, asked.status]).toEqual([method, path, 404]);
    expect(asked.text).not.toContain('secret');
    expect(asked.body).toMatchObject({ error: 'Memory not found' });
  }
  const related = { userId: 'ann', content: 'x', relationships: { related: [event] } };
  expect((await call(ann, 'POST', '/api/memory/episodic', related)).status).toBe(400);
  expect((await call(ann, 'GET', `/api/memory/episodic/${own}`)).status).toBe(200);
  expect((await call(bob, 'GET', `/api/memory/episodic/${event}`)).body.data.content).toBe('a secret of Bob');
  expect((await call(admin, 'GET', `/api/memory/episodic/${event}`)).status).toBe(200);
});

test('files are sent and read by their user alone', async () => {
  const file = { name: 'a.txt', type: 'text/plain' };
  const send = (key: string, userId: string) =>
    upload(service.url, { userId, ...file }, 'a secret of Bob', bearer(key));
  expect((await send(ann, 'bob')).status).toBe(403);
  const { id } = (await send(bob, 'bob')).body.data;
  expect((await call(bob, 'GET', `/api/files/${id}?userId=bob`)).status).toBe(200);
  for (const method of ['GET', 'DELETE'])
    expect((await call(ann, method, `/api/files/${id}?userId=ann`)).status).toBe(404);
  const { status, body } = await upload(service.url, { userId: 'bob', ...file }, 'x', bearer('hfast_none_x'));
  expect([status, body.success]).toEqual([401, false]);
});

test('runs belong to the user whose key started them, tools and turns alike', async () => {
  const bobs = [
    await call(bob, 'POST', '/api/tools/execute', addition),
    await call(bob, 'POST', '/api/tools/mcp', { query: 'add 2 and 3' }),
    await call(bob, 'POST', '/api/agent/execute', {
      query: 'hi',
      options: { userId: 'bob', sessionId: 't' },
    }),
    await call(bob, 'POST', '/api/memory-chat/chat', { userId: 'bob', sessionId: 'c', message: 'hi' }),
  ].map(({ headers }) => ({
    traceId: headers.get('x-trace-id') ?? '',
    workflowId: headers.get('x-workflow-id') ?? '',
  }));
  for (const { traceId, workflowId } of bobs) {
    const by = `workflowId=${encodeURIComponent(workflowId)}`;
    for (const [method, path, body] of [
      ['GET', `/api/runs/${traceId}?${by}`],
      ['GET', `/api/runs/${traceId}`],
      ['GET', `/api/runs?${by}`],
      ['GET', `/api/runs/${traceId}/wait?${by}`],
      ['GET', `/api/runs/${traceId}/events?${by}`],
      ['GET', `/api/runs/${traceId}/input?${by}`],
      ['GET', `/api/runs/${traceId}/steps/1?${by}`],
      ['GET', `/api/runs/${traceId}/steps/1/input?${by}`],
      ['GET', `/api/runs/${traceId}/steps/1/output?${by}`],
      ['POST', `/api/runs/${traceId}/cancel?${by}`, {}],
      ['POST', `/api/runs/${traceId}/rerun?${by}`, {}],
      ['POST', `/api/runs/${traceId}/terminate?${by}`, { reason: 'because' }],
    ] as const) {
      const asked = await call(ann, method, path, body);
      expect([method, path, asked.status]).toEqual([method, path, 404]);
    }
    for (const key of [bob, admin])
      expect((await call(key, 'GET', `/api/runs/${traceId}?${by}`)).status).toBe(200);
  }
  const listed = await waitFor(
    async () => {
      const { body } = await call(bob, 'GET', '/api/runs');
      const ids = (body.data.runs as { traceId: string }[]).map(({ traceId }) => traceId);
      return bobs.every(({ traceId }) => ids.includes(traceId)) ? body.data.runs : undefined;
    },
    { what: 'the runs to be listed' },
  );
  await call(ann, 'POST', '/api/tools/execute', addition);
  const anns = await waitFor(
    async () => {
      const runs = (await call(ann, 'GET', '/api/runs')).body.data.runs as { traceId: string }[];
      return runs.length > 0 && runs;
    },
    { what: 'the run to be listed' },
  );
  const theirs = new Set((listed as { traceId: string }[]).map(({ traceId }) => traceId));
  expect(anns.filter(({ traceId }) => theirs.has(traceId))).toEqual([]);
});

test('approvals belong to the user whose run waits', async () => {
  const waiting = await call(bob, 'POST', '/api/tools/execute', {
    ...addition,
    options: { approval: { tools: 'all' } },
  });
  expect(waiting.status).toBe(202);
  const [{ id }] = waiting.body.data.approvals as [{ id: string }];
  for (const [method, path, body] of [
    ['GET', `/api/approvals/${id}`],
    ['POST', `/api/approvals/${id}`, { decision: 'approve' }],
    ['POST', `/api/approvals/${id}/links`, {}],
  ] as const)
    expect([path, (await call(ann, method, path, body)).status]).toEqual([path, 404]);
  const idsOf = async (key: string): Promise<string[]> => {
    const { body } = await call(key, 'GET', '/api/approvals?status=pending');
    return (body.data.approvals as { id: string }[]).map((approval) => approval.id);
  };
  await waitFor(async () => (await idsOf(bob)).includes(id), { what: 'the approval to be listed' });
  expect(await idsOf(ann)).toEqual([]);
  expect((await call(bob, 'POST', `/api/approvals/${id}`, { decision: 'approve' })).status).toBe(200);
});

test('two users have the same idempotency key for different runs', async () => {
  const headers = { 'idempotency-key': 'same' };
  const [one, other] = [
    await call(ann, 'POST', '/api/tools/execute', addition, headers),
    await call(bob, 'POST', '/api/tools/execute', addition, headers),
  ];
  expect(one.headers.get('x-trace-id')).not.toBe(other.headers.get('x-trace-id'));
  expect(other.headers.get('idempotent-replayed')).toBeNull();
});

test('what concerns all users is refused, though the key has the scope', async () => {
  for (const [method, path, body] of [
    ['GET', '/api/keys'],
    ['POST', '/api/keys', { name: 'mine', scopes: ['admin'] }],
    ['POST', '/api/keys/0123456789abcdef/rotate', {}],
    ['DELETE', '/api/keys/0123456789abcdef'],
    ['POST', '/api/agent/initialize', {}],
    ['POST', '/api/memory-chat/initialize', {}],
    ['POST', '/api/intent-classifier/initialize', {}],
    ['POST', '/api/memory/reindex', {}],
  ] as const) {
    const asked = await call(ann, method, path, body);
    expect([path, asked.status, asked.text.includes('Access denied')]).toEqual([path, 403, true]);
  }
});

test('a stream ends when its key is revoked', async () => {
  const key = await create('dora', 'run', 'read', '--user', 'dora');
  const waiting = await call(key, 'POST', '/api/tools/execute', {
    ...addition,
    options: { approval: { tools: 'all' } },
  });
  const by = `workflowId=${encodeURIComponent(waiting.headers.get('x-workflow-id') ?? '')}`;
  const path = `/api/runs/${waiting.headers.get('x-trace-id')}/events?${by}`;
  const stream = await fetch(service.url + path, {
    headers: { ...bearer(key), accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  const { keys } = (await call(admin, 'GET', '/api/keys')).body.data as {
    keys: { id: string; name: string }[];
  };
  await call(admin, 'DELETE', `/api/keys/${keys.find(({ name }) => name === 'dora')?.id}`);
  // The run goes on waiting, so only the refusal ends the stream.
  await expect(stream.text()).rejects.toThrow();
  const traceId = waiting.headers.get('x-trace-id') ?? '';
  expect((await call(admin, 'POST', `/api/runs/${traceId}/cancel?${by}`, {})).status).toBeLessThan(300);
});

test('an erasure by the user needs no administrator, and takes runs and keys of the user with it', async () => {
  const key = await create('carl', 'run', 'read', 'memory', '--user', 'carl');
  await remember(key, 'carl', 'something to forget');
  const run = await call(key, 'POST', '/api/tools/execute', addition);
  const by = `workflowId=${encodeURIComponent(run.headers.get('x-workflow-id') ?? '')}`;
  const path = `/api/runs/${run.headers.get('x-trace-id')}?${by}`;
  expect((await call(admin, 'GET', path)).status).toBe(200);
  expect((await call(key, 'DELETE', '/api/memory/clear/bob')).status).toBe(403);
  const erased = await call(key, 'DELETE', '/api/memory/clear/carl');
  expect([erased.status, erased.body.data.erased]).toEqual([
    200,
    expect.objectContaining({ episodic: 1, runs: 1 }),
  ]);
  const refused = await waitFor(
    async () => {
      const { status } = await call(key, 'GET', '/api/tools');
      return status === 401 && status;
    },
    { what: 'the key to be refused' },
  );
  expect(refused).toBe(401);
  expect((await call(admin, 'GET', '/api/keys')).text).not.toContain('carl');
});
